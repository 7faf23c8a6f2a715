import type { ExportFolderError, ExportProblem, ExportProblemCode, SiteOptionError } from '@openfountain/site'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { CommandError } from '../failure.ts'

/** The parent folder of a set, when the export is split by licence. */
function wholeOf(folder: string): string | undefined {
  const whole = path.dirname(path.resolve(folder))
  try {
    const { openfountain } = JSON.parse(readFileSync(path.join(whole, 'datapackage.json'), 'utf8')) as {
      openfountain?: { parts?: readonly unknown[] }
    }
    return openfountain?.parts === undefined ? undefined : whole
  } catch {
    return undefined
  }
}

/** Remedies that are commands; null when the library's message suffices. */
type Remedies<Code extends ExportProblemCode> = {
  readonly [One in Code]: ((problem: ExportProblem<One>) => string) | null
}

const exportRemedies: Remedies<ExportProblemCode> = {
  UNREADABLE_FOLDER: ({ folder }) => `Make one with openfountain export --out ${folder}`,
  EMPTY: ({ folder }) => `Write an export into it: openfountain export --out ${folder}`,
  NOT_AN_EXPORT: () => 'Give the folder that openfountain export --out wrote.',
  DIFFERENCE: ({ folder }) =>
    `A site needs everything; export without --since: openfountain export --out ${folder}`,
  INCOMPLETE({ folder }) {
    const whole = wholeOf(folder)
    return whole === undefined
      ? `Export again, with all formats: openfountain export --out ${folder}`
      : `It is one set of an export that is split by licence: give the folder that has them all, --data ${whole}`
  },
  NEWER_FORMAT: null,
  INVALID_DESCRIPTION: null,
  OTHER_SIZE: ({ folder }) => `Export again: openfountain export --out ${folder}`,
  UNREADABLE_FILE: null,
  NOT_JSON: null,
  INVALID_RECORD: null,
}

/** The remedy for a problem, if it is a command. */
function remedyFor<Code extends ExportProblemCode>(problem: ExportProblem<Code>): string | undefined {
  const remedy: Remedies<Code>[Code] = exportRemedies[problem.code]
  return remedy?.(problem)
}

export function exportFolderFailure(error: ExportFolderError): CommandError {
  const { code, problem, found, message, details } = error
  const remedy = remedyFor(problem)
  const text = remedy === undefined ? message : `${found} ${remedy}`
  return new CommandError('unreadable', text, 'EXPORT_FOLDER_ERROR', { problem: code, ...details })
}

/** An invalid option of a build as a failure of the command; its name is the same with two hyphens. */
export function siteOptionFailure({ code, option, found, details }: SiteOptionError): CommandError {
  const exit = code === 'OUT_BUSY' ? 'busy' : 'usage'
  return new CommandError(exit, `--${option}: ${found}`, 'SITE_OPTION_ERROR', { problem: code, ...details })
}
