import { createHash } from 'node:crypto'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Registry } from '@openfountain/core'
import { invalidBecause, packageDigest } from '@openfountain/core/internal'
import type { RegistryExportOptions } from '../export.ts'

type StateOptions = Omit<RegistryExportOptions, 'out' | 'dated' | 'now'>

/**
 * A text that changes with every change of the result of `exportRegistry`: of the registry, of the day of statuses, of
 * the publisher, of the options, and of this program. It is only a digest.
 */
export async function exportState(registry: Registry, options: StateOptions): Promise<string> {
  return digestOf([await dayState(registry, options), await registry.version()])
}

/** The same without the registry's content: a text that is another one for each day, and for other options, rules and programs. */
export async function dayState(registry: Registry, options: StateOptions): Promise<string> {
  const day = await timeOfStates(registry, options.asOf)
  const { onProgress: _onProgress, signal: _signal, earlier: _earlier, asOf: _asOf, ...content } = options
  const { name, author, license, rules, properties } = registry
  const about = { name, author, license, rules, properties }
  return digestOf([day, await programDigest(), process.versions, about, content])
}

const isoTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d))?$/iu

/**
 * The time of statuses, ISO 8601 in UTC with milliseconds: the beginning of a date in UTC, by default of today.
 *
 * @throws {RegistryError} INVALID_INPUT for anything but a date or a time with its zone
 */
export async function timeOfStates(registry: Registry, asOf: string | undefined): Promise<string> {
  const text = (asOf ?? (await registry.observations.today())).trim()
  const time = isoTime.test(text) ? Date.parse(text) : Number.NaN
  const day = text.slice(0, 10)
  // Days that a month does not have are days of the next one to JavaScript.
  const isDay = !Number.isNaN(time) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
  if (isDay) return new Date(time).toISOString()
  throw invalidBecause(
    'asOf',
    `${JSON.stringify(text)} is neither a date such as 2026-01-31 nor a time with its zone such as 2026-01-31T12:00:00Z`,
  )
}

const digestOf = (about: unknown): string =>
  createHash('sha256').update(JSON.stringify(about)).digest('base64url')

/** The folders with the code of this package and of the core, as sources or built. */
const ownFolder = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/u, '')
const coreFolder = dirname(fileURLToPath(import.meta.resolve('@openfountain/core')))

let ofProgram: Promise<readonly string[]> | undefined

/** Of this package and of the core, whose versions of everything else are exact. */
function programDigest(): Promise<readonly string[]> {
  ofProgram ??= Promise.all(
    [ownFolder, coreFolder].map((code) => packageDigest(dirname(code), [basename(code), 'package.json'])),
  )
  return ofProgram
}
