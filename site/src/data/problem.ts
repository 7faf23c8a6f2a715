import { z } from 'zod'

/** The export folder cannot be read; the message says what is wrong, where, and what to do. */
export class ExportFolderError extends Error {
  override readonly name = 'ExportFolderError'
  readonly code = 'EXPORT_FOLDER'
}

/** What an error says, in one line. Of a schema's error: the first field that does not fit, and why. */
export function explain(error: unknown): string {
  if (error instanceof z.ZodError) {
    const issue = error.issues[0]
    if (!issue) return 'it does not have the expected shape'
    const path = issue.path.map(String).join('.')
    return path === '' ? issue.message : `${path}: ${issue.message}`
  }
  return error instanceof Error ? error.message : String(error)
}
