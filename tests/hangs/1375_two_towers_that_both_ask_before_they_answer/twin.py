from towers.coast import watch_coast
from towers.tower import PatientTower

if __name__ == "__main__":
    watch_coast(PatientTower, 60)
