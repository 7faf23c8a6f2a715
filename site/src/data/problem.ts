import { z } from 'zod'
import { CodedError, type Lists, type Numbers, type Texts } from '../coded-error.ts'

type InFile = Texts<'file' | 'reason'> & { readonly line?: number }

/** The errors of an export folder: each code with its facts, and how it is said. Paths are absolute, lines count from 1. */
const found = {
  /** `path` is the export folder or the folder of one of its parts; it is missing or unreadable. */
  UNREADABLE_FOLDER: ({ path, reason }: Texts<'folder' | 'path' | 'reason'>) =>
    `The export folder ${path} cannot be read (${reason}).`,
  EMPTY: ({ folder }: Texts<'folder'>) => `The folder ${folder} is empty.`,
  NOT_AN_EXPORT: ({ folder }: Texts<'folder'>) =>
    `The folder ${folder} is not an export: it has no datapackage.json.`,
  /** The export is a difference to an earlier one. */
  DIFFERENCE: ({ folder }: Texts<'folder'>) => `The export in ${folder} holds only what changed.`,
  /** Names of the missing files, with their part's folder as prefix. */
  INCOMPLETE: ({ folder, missing }: Texts<'folder'> & Lists<'missing'>) =>
    `The export in ${folder} is incomplete: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing.`,
  /** The format of the export, and the newest one that this site reads. */
  NEWER_FORMAT: ({ folder, format, newest }: Texts<'folder'> & Numbers<'format' | 'newest'>) =>
    `The export in ${folder} has format ${format}; this site reads up to ${newest}. It was written by a newer version:`,
  /** datapackage.json lacks the description of an export. */
  INVALID_DESCRIPTION: ({ file, reason }: Texts<'file' | 'reason'>) =>
    `${file} does not describe an openfountain export: ${reason}.`,
  /** Bytes of the file, and bytes according to datapackage.json. */
  OTHER_SIZE: ({ file, bytes, described }: Texts<'folder' | 'file'> & Numbers<'bytes' | 'described'>) =>
    `${file} has ${bytes} bytes where datapackage.json says ${described}: it was cut off or changed.`,
  /** `line` is the last readable line. */
  UNREADABLE_FILE: ({ file, line, reason }: InFile) =>
    `${file} cannot be read${line === undefined ? '' : ` after line ${line}`} (${reason}).`,
  NOT_JSON: ({ file, line, reason }: InFile) =>
    `${file}${line === undefined ? ' is' : `, line ${line}:`} not JSON (${reason}).`,
  /** A record does not match its schema; `member` is its place in a list, such as `reviews[0]`. */
  INVALID_RECORD: ({ file, line, member, reason }: InFile & { readonly member?: string }) =>
    [file, line === undefined ? undefined : `line ${line}`, member]
      .filter((part) => part !== undefined)
      .join(', ') + `: ${reason}.`,
}

export type ExportProblemCode = keyof typeof found
/** The facts of each code. */
export type ExportProblemFacts = { readonly [Code in ExportProblemCode]: Parameters<(typeof found)[Code]>[0] }

/** A problem: a code together with the facts that belong to it. */
export type ExportProblem<Code extends ExportProblemCode = ExportProblemCode> = {
  [One in Code]: { readonly code: One } & ExportProblemFacts[One]
}[Code]

/** The remedy for each error, worded for callers of the library. */
const remedies: Readonly<Partial<Record<ExportProblemCode, string>>> = {
  UNREADABLE_FOLDER: 'Give the folder of an export as data.',
  EMPTY: 'Write an export into it, or give the folder of one as data.',
  NOT_AN_EXPORT: 'Give the folder of an export as data.',
  DIFFERENCE: 'A site needs everything: export without since.',
  INCOMPLETE: 'Export again, with all formats.',
  NEWER_FORMAT: 'update openfountain here, or export with this version.',
  INVALID_DESCRIPTION: 'Export again with this version.',
  INVALID_RECORD: 'Export again with this version.',
}

/** No site can be made of the export: `problem` has code and facts, `found` the error and its place; `message` adds the remedy. */
export class ExportFolderError extends CodedError<ExportProblem> {
  override readonly name = 'ExportFolderError'

  constructor(problem: ExportProblem, options?: ErrorOptions) {
    const text = (found[problem.code] as (given: ExportProblem) => string)(problem)
    super(problem, text, `${text} ${remedies[problem.code] ?? 'Export again.'}`, options)
  }
}

/** The message of an error in one line; for a schema error the first invalid field and the reason. */
export function explain(error: unknown): string {
  if (error instanceof z.ZodError) {
    const issue = error.issues[0]
    if (!issue) return 'it does not have the expected shape'
    const path = issue.path.map(String).join('.')
    return path === '' ? issue.message : `${path}: ${issue.message}`
  }
  return error instanceof Error ? error.message : String(error)
}
