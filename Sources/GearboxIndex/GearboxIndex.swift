// GearboxIndex
