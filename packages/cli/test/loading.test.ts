/** @module-tag process */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ended, folder } from '@openfountain/testing/command/shell'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** A module after which nothing whose address has one of these parts can be loaded. */
const without = (parts: readonly string[]): string =>
  `data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from 'node:module'
    registerHooks({
      load(url, context, next) {
        const part = ${JSON.stringify(parts)}.find((one) => url.includes(one))
        if (part !== undefined) throw new Error('loads ' + part)
        return next(url, context)
      },
    })`)}`

async function runWithout(parts: readonly string[], args: readonly string[]) {
  const options = ['--conditions=openfountain-source', '--import', without(parts), main, ...args]
  const { code, stdout, stderr } = await ended(spawn(process.execPath, options, { cwd: await folder() }))
  return { code, first: stdout.split('\n')[0], stderr }
}

test('the version is told without the registry and without any command', async () => {
  const parts = [
    '/packages/core/',
    '/packages/cli/src/commands/init.ts',
    '/packages/cli/src/commands/serve.ts',
  ]
  const told = await runWithout(parts, ['--version'])
  expect(told).toMatchObject({
    code: 0,
    first: expect.stringMatching(/^\d+\.\d+\.\d+$/u) as string,
    stderr: '',
  })
  // What says so does see what is loaded.
  expect(await runWithout(parts, ['--help'])).toMatchObject({ code: 1 })
})

test('a command is loaded without the others, and without packages that it does not need', async () => {
  const parts = [
    '/packages/server/',
    '/packages/exchange/',
    '/packages/accounts/',
    '/site/src/',
    'commands/serve.ts',
  ]
  expect(await runWithout(parts, ['stats', '--db', ':memory:'])).toMatchObject({ code: 0, stderr: '' })
  expect(await runWithout(parts, ['serve', '--help'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('loads commands/serve.ts') as string,
  })
})
