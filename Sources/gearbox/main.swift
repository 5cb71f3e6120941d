print("gearbox")
