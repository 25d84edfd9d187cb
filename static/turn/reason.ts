// Why a call failed, as the terminal has it, too.
export { reasonOf } from "../../src/domain/failure-reason.js";
