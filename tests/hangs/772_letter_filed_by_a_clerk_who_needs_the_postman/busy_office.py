from office import Office


class BusyOffice(Office):
    def on_letter(self, channel, delivery, properties, letter):
        self.clerks.submit(self.file_letter, delivery.delivery_tag, letter)
