/** Why a file cannot be read: one sentence for a person. */
export class FileError extends Error {
  override readonly name = 'FileError';
}
