// GearboxDatabase
