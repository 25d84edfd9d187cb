// Loaded before a program (`node --expose-gc --import`): at SIGUSR2 it prints how many bytes are in use after a collection. Plain
// JavaScript, because the program runs without the loader for TypeScript.
process.on("SIGUSR2", () => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.stderr.write(`heap ${heapUsed + external}\n`);
});
