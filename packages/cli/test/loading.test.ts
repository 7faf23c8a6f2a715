/** @module-tag process */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ended, folder } from '@openfountain/testing/command/shell'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

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

const others = ['/packages/server/', '/packages/exchange/', '/packages/accounts/', '/site/src/']

test.each([
  ['--version', '--help', ['/packages/core/src/registry', '/commands/init.ts', '/commands/serve.ts']],
  ['stats --db :memory:', 'serve --help', [...others, 'commands/serve.ts']],
])('%s loads no package and no command that it does not need, unlike %s', async (line, other, parts) => {
  const cwd = await folder()
  const run = (words: string) => {
    const options = ['--conditions=openfountain-source', '--import', without(parts), main]
    return ended(spawn(process.execPath, [...options, ...words.split(' ')], { cwd }))
  }
  expect(await run(line)).toMatchObject({ code: 0, stderr: '' })
  expect(await run(other)).toMatchObject({ code: 1, stderr: expect.stringContaining('loads ') as string })
})
