import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { succeed } from './packages/command.ts'
import { root } from './packages/folders.ts'
import { packAll, type Tarball } from './packages/tarball.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    readonly tarballs: readonly Tarball[]
  }
}

/**
 * Builds and packs the packages once for all tests that install them, since concurrent builds would remove each other's
 * files. Vitest runs it before those tests.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'openfountain-packed-'))
  await succeed(process.execPath, ['scripts/build.ts'], { cwd: root })
  project.provide('tarballs', await packAll(folder))
  return () => rm(folder, { recursive: true, force: true })
}
