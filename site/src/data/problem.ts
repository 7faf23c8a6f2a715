import { z } from 'zod'

/** The errors of an export folder: each code with its facts. Paths are absolute, lines count from 1. */
export interface ExportProblemFacts {
  /** `path` is the export folder or the folder of one of its parts; it is missing or unreadable. */
  UNREADABLE_FOLDER: { readonly folder: string; readonly path: string; readonly reason: string }
  EMPTY: { readonly folder: string }
  /** The folder has no datapackage.json. */
  NOT_AN_EXPORT: { readonly folder: string }
  /** The export is a difference to an earlier one. */
  DIFFERENCE: { readonly folder: string }
  /** Names of the missing files, with their part's folder as prefix. */
  INCOMPLETE: { readonly folder: string; readonly missing: readonly string[] }
  /** The format of the export, and the newest one that this site reads. */
  NEWER_FORMAT: { readonly folder: string; readonly format: number; readonly newest: number }
  /** datapackage.json lacks the description of an export. */
  INVALID_DESCRIPTION: { readonly file: string; readonly reason: string }
  /** Bytes of the file, and bytes according to datapackage.json. */
  OTHER_SIZE: {
    readonly folder: string
    readonly file: string
    readonly bytes: number
    readonly described: number
  }
  /** `line` is the last readable line. */
  UNREADABLE_FILE: { readonly file: string; readonly line?: number; readonly reason: string }
  NOT_JSON: { readonly file: string; readonly line?: number; readonly reason: string }
  /** A record does not match its schema; `member` is its place in a list, such as `reviews[0]`. */
  INVALID_RECORD: {
    readonly file: string
    readonly line?: number
    readonly member?: string
    readonly reason: string
  }
}

export type ExportProblemCode = keyof ExportProblemFacts

/** A problem: a code together with the facts that belong to it. */
export type ExportProblem<Code extends ExportProblemCode = ExportProblemCode> = {
  [One in Code]: { readonly code: One } & ExportProblemFacts[One]
}[Code]

const found: { readonly [Code in ExportProblemCode]: (problem: ExportProblem<Code>) => string } = {
  UNREADABLE_FOLDER: ({ path, reason }) => `The export folder ${path} cannot be read (${reason}).`,
  EMPTY: ({ folder }) => `The folder ${folder} is empty.`,
  NOT_AN_EXPORT: ({ folder }) => `The folder ${folder} is not an export: it has no datapackage.json.`,
  DIFFERENCE: ({ folder }) => `The export in ${folder} holds only what changed.`,
  INCOMPLETE: ({ folder, missing }) =>
    `The export in ${folder} is incomplete: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing.`,
  NEWER_FORMAT: ({ folder, format, newest }) =>
    `The export in ${folder} has format ${format}; this site reads up to ${newest}. It was written by a newer version:`,
  INVALID_DESCRIPTION: ({ file, reason }) => `${file} does not describe an openfountain export: ${reason}.`,
  OTHER_SIZE: ({ file, bytes, described }) =>
    `${file} has ${bytes} bytes where datapackage.json says ${described}: it was cut off or changed.`,
  UNREADABLE_FILE: ({ file, line, reason }) =>
    `${file} cannot be read${line === undefined ? '' : ` after line ${line}`} (${reason}).`,
  NOT_JSON: ({ file, line, reason }) =>
    `${file}${line === undefined ? ' is' : `, line ${line}:`} not JSON (${reason}).`,
  INVALID_RECORD: ({ file, line, member, reason }) =>
    [file, line === undefined ? undefined : `line ${line}`, member]
      .filter((part) => part !== undefined)
      .join(', ') + `: ${reason}.`,
}

/** The remedy for each error, worded for callers of the library. */
const remedies: Readonly<Record<ExportProblemCode, string>> = {
  UNREADABLE_FOLDER: 'Give the folder of an export as data.',
  EMPTY: 'Write an export into it, or give the folder of one as data.',
  NOT_AN_EXPORT: 'Give the folder of an export as data.',
  DIFFERENCE: 'A site needs everything: export without since.',
  INCOMPLETE: 'Export again, with all formats.',
  NEWER_FORMAT: 'update openfountain here, or export with this version.',
  INVALID_DESCRIPTION: 'Export again with this version.',
  OTHER_SIZE: 'Export again.',
  UNREADABLE_FILE: 'Export again.',
  NOT_JSON: 'Export again.',
  INVALID_RECORD: 'Export again with this version.',
}

/**
 * The export folder cannot be made into a site.
 *
 * `problem` has the code and its facts, `found` the error and its place as a sentence; `message` is `found` with the
 * general remedy.
 */
export class ExportFolderError extends Error {
  override readonly name = 'ExportFolderError'
  readonly problem: ExportProblem
  readonly found: string

  constructor(problem: ExportProblem, options?: ErrorOptions) {
    const text = (found[problem.code] as (given: ExportProblem) => string)(problem)
    super(`${text} ${remedies[problem.code]}`, options)
    this.problem = problem
    this.found = text
  }

  get code(): ExportProblemCode {
    return this.problem.code
  }

  /** The facts of the problem, such as `folder`, `file` or `line`. */
  get details(): Readonly<Record<string, unknown>> {
    const { code: _code, ...facts } = this.problem
    return facts
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
