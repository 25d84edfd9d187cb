// Mocha's spec reporter, closing with one line that people and machines read alike: "N passed, N failed". A case that was tried
// again is named before it, with what went wrong the first time.
// Plain JavaScript, because mocha loads a reporter before the loader that understands TypeScript is asked.
import mocha from "mocha";

export default class ClosingLine extends mocha.reporters.Spec {
  #triedAgain = [];

  constructor(runner, options) {
    super(runner, options);
    runner.on("retry", (test, error) => this.#triedAgain.push(`${test.fullTitle()}: ${error.message}`));
  }

  epilogue() {
    super.epilogue();
    for (const what of this.#triedAgain) console.log(`tried again: ${what}`);
    const { passes = 0, failures = 0 } = this.stats ?? {};
    console.log(`${passes} passed, ${failures} failed`);
  }
}
