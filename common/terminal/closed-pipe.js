import process from 'node:process';

// A reader such as `head` may close the pipe before it has read everything, and a terminal may be closed. What is left to
// print is dropped then, and the program goes on to its end, so that its exit code and what it cleans up stay the same.
// On a full disk it goes on too, but fails.
let hasFailed = false;
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    const code = 'code' in error ? error.code : undefined;
    if (hasFailed || code === 'EPIPE' || (code === 'EIO' && stream.isTTY)) return;
    hasFailed = true;
    process.stderr.write(`error: The output is not complete: ${error.message}\n`);
    process.on('exit', () => {
      process.exitCode ||= 1;
    });
  });
}
