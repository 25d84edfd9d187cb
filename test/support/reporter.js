// Mocha's spec reporter, closing with one line that people and machines read alike: "N passed, N failed".
// Plain JavaScript, because mocha loads a reporter before the loader that understands TypeScript is asked.
import mocha from "mocha";

export default class ClosingLine extends mocha.reporters.Spec {
  epilogue() {
    super.epilogue();
    const { passes = 0, failures = 0 } = this.stats ?? {};
    console.log(`${passes} passed, ${failures} failed`);
  }
}
