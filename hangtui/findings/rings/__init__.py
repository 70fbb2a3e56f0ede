"""Rules about waits that close a circle: nobody in it can go on."""
