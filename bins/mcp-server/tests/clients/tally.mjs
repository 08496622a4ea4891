// Counts checks, and prints a line for each.
export const tally = { passed: 0, failed: 0 };

export async function check(name, run) {
  try {
    await run();
    tally.passed += 1;
    console.log(`ok      ${name}`);
  } catch (error) {
    tally.failed += 1;
    console.log(`FAILED  ${name}: ${error.message}`);
  }
}
