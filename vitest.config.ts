import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Workspace packages are tested from their sources, never from a build. */
const conditions = ['openfountain-source']

const programs = fileURLToPath(new URL('scripts/programs.ts', import.meta.url))

const project = (name: string, root: string, options: { timeout?: number; programs?: boolean } = {}) => ({
  ssr: { resolve: { conditions } },
  test: {
    name,
    root,
    globalSetup: options.programs ? [programs] : [],
    include: ['test/**/*.test.ts'],
    testTimeout: options.timeout ?? 30_000,
    hookTimeout: options.timeout ?? 60_000,
  },
})

export default defineConfig({
  test: {
    projects: [
      project('core', 'packages/core'),
      project('exchange', 'packages/exchange', { timeout: 120_000, programs: true }),
      project('server', 'packages/server', { timeout: 120_000 }),
      project('cli', 'packages/cli', { timeout: 120_000 }),
      project('site', 'site', { timeout: 240_000, programs: true }),
      project('scripts', 'scripts', { timeout: 240_000, programs: true }),
    ],
  },
})
