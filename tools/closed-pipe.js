import process from 'node:process';

// A reader such as `head` may close the pipe before it has read everything, and a terminal may be closed. What is left to
// print is dropped then, and the program goes on to its end, so that its exit code and what it cleans up stay the same.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (!('code' in error && (error.code === 'EPIPE' || error.code === 'EIO'))) throw error;
  });
}
