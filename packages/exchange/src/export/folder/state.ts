import { createHash } from 'node:crypto'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Registry } from '@openfountain/core'
import { packageDigest } from '@openfountain/core/internal'
import { instantOf } from './instant.ts'
import type { RegistryExportOptions } from '../export.ts'

type StateOptions = Omit<RegistryExportOptions, 'out' | 'dated' | 'now'>

/**
 * A text that is another one after each change of what `exportRegistry` would write: of the registry, of the day of which states
 * are, of who publishes it, of the options, and of this program. It has nothing but a digest.
 */
export async function exportState(registry: Registry, options: StateOptions): Promise<string> {
  return digestOf([await dayState(registry, options), await registry.version()])
}

/** The same without the registry's content: a text that is another one for each day, and for other options, rules and programs. */
export async function dayState(registry: Registry, options: StateOptions): Promise<string> {
  const day = instantOf('asOf', options.asOf ?? (await registry.observations.today()))
  const { onProgress: _onProgress, signal: _signal, earlier: _earlier, asOf: _asOf, ...content } = options
  const { name, author, license, rules, properties } = registry
  const about = { name, author, license, rules, properties }
  return digestOf([day, await programDigest(), process.versions, about, content])
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
