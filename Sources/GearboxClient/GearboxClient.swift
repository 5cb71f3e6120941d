// GearboxClient
