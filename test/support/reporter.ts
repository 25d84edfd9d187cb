// Mocha's spec reporter, closing with one line that people and machines read alike: "N passed, N failed".
import mocha from "mocha";

/** Used by .mocharc.json. */
export default class ClosingLine extends mocha.reporters.Spec {
  override epilogue(): void {
    super.epilogue();
    const { passes = 0, failures = 0, pending = 0 } = this.stats ?? {};
    console.log(`${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ""}`);
  }
}
