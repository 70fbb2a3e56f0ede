import luigi


class Poster(luigi.Task):
    name = luigi.Parameter()
    presses = luigi.IntParameter(default=1)
    folder = luigi.Parameter(significant=False)

    @property
    def resources(self):
        return {"press": self.presses}

    def output(self):
        return luigi.LocalTarget("%s/%s.txt" % (self.folder, self.name))

    def run(self):
        with self.output().open("w") as sheet:
            sheet.write(self.name.upper())


class Posters(luigi.WrapperTask):
    folder = luigi.Parameter()
    large = luigi.IntParameter()

    def requires(self):
        yield Poster(name="spring", folder=self.folder)
        yield Poster(name="fair", presses=self.large, folder=self.folder)
