import { defineConfig } from 'vitest/config'

/** Workspace packages are tested from their sources, never from a build. */
const conditions = ['openfountain-source']

const project = (name: string, root: string, options: { timeout?: number } = {}) => ({
  ssr: { resolve: { conditions } },
  test: {
    name,
    root,
    include: ['test/**/*.test.ts'],
    testTimeout: options.timeout ?? 30_000,
    hookTimeout: options.timeout ?? 60_000,
  },
})

export default defineConfig({
  test: {
    projects: [
      project('core', 'packages/core'),
      project('exchange', 'packages/exchange', { timeout: 120_000 }),
      project('server', 'packages/server', { timeout: 120_000 }),
      project('cli', 'packages/cli', { timeout: 120_000 }),
      project('site', 'site', { timeout: 240_000 }),
      project('scripts', 'scripts', { timeout: 240_000 }),
    ],
  },
})
