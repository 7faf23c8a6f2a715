import { hash } from 'node:crypto'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageDigest } from '@openfountain/core/internal'
import { installedVersions } from './installed.ts'

const ownFolder = fileURLToPath(new URL('../..', import.meta.url))
const coreFolder = dirname(fileURLToPath(import.meta.resolve('@openfountain/core')))

let ofProgram: Promise<string> | undefined

/** Of this package and its dependencies, as installed: another version makes all files anew. */
export function digestProgram(): Promise<string> {
  ofProgram ??= digestOfProgram()
  return ofProgram
}

async function digestOfProgram(): Promise<string> {
  const core = await packageDigest(dirname(coreFolder), [basename(coreFolder), 'package.json'])
  const own = await packageDigest(ownFolder, ['src', 'base', 'engine', 'icons', 'public', 'package.json'])
  return digest([own, core, await installedVersions(ownFolder), process.versions])
}

/** JSON drops the members of sets and maps, so that a digest of them would be wrong. */
export function digest(value: unknown): string {
  const text = JSON.stringify(value, (_key, member: unknown) => {
    if (member instanceof Set || member instanceof Map) throw new TypeError('A set has no digest')
    return member
  })
  return hash('sha256', text, 'base64url')
}
