/** @module-tag process */
import { spawn } from 'node:child_process'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { ended, folder, killGroup } from '@openfountain/testing/command/shell'

const bin = fileURLToPath(new URL('../bin/openfountain.mjs', import.meta.url))
const serve = [bin, 'serve', '--port', '0', '--json']

async function underOldNode(file: string, args: readonly string[], cwd: string) {
  const disguise = path.join(cwd, 'disguise.cjs')
  await writeFile(
    disguise,
    // The Node that it finds is not in disguise.
    "if (process.env.OPENFOUNTAIN_STARTED === '1') return\n" +
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.9.0', napi: '9' } })\n" +
      "Object.defineProperty(process, 'version', { value: 'v20.9.0' })\n",
  )
  return ended(spawn(process.execPath, ['--require', disguise, file, ...args], { cwd }))
}

test('started bare, it finds the sources and the Node that runs them, and hands on exit codes and signals', async () => {
  const cwd = await folder()
  const { code, stdout, stderr } = await ended(spawn(process.execPath, [bin, '--version']))
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^\d+\.\d+\.\d+ \(\w[\w ]+\)\n$/u)
  expect((await ended(spawn(process.execPath, [bin, 'stats'], { cwd }))).code).toBe(14)
  const server = spawn(process.execPath, serve, { cwd })
  const end = ended(server)
  await new Promise((resolve) => server.stdout.once('data', resolve))
  server.kill('SIGTERM')
  expect(await end).toMatchObject({ code: 0, signal: null })
})

const isWindows = process.platform === 'win32'
test.skipIf(isWindows)('a server ends when the process that started it was killed', async () => {
  // A process group of its own, so that no process is left when the test fails.
  const launcher = spawn(process.execPath, serve, { cwd: await folder(), detached: true })
  const { pid } = launcher
  onTestFinished(() => killGroup(pid))
  // Resolves once no process has the output open any more.
  const end = ended(launcher)
  const line = await new Promise<unknown>((resolve) => launcher.stdout.once('data', resolve))
  const { url } = JSON.parse(String(line)) as { url: string }
  expect((await fetch(`${url}/api/health`)).status).toBe(200)
  launcher.kill('SIGKILL')
  expect(await end).toMatchObject({ signal: 'SIGKILL' })
  await expect(fetch(`${url}/api/health`)).rejects.toThrow('fetch failed')
})

test('under an old Node it goes on with the newer one beside it, or says in one line which it needs, before it loads anything', async () => {
  const cwd = await folder()
  if (process.platform === 'linux')
    expect(await underOldNode(bin, ['--version'], cwd)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+ \(/u) as string,
    })
  await mkdir(path.join(cwd, 'bin'))
  await copyFile(bin, path.join(cwd, 'bin/openfountain.mjs'))
  expect(await underOldNode(path.join(cwd, 'bin/openfountain.mjs'), ['stats'], cwd)).toMatchObject({
    code: 1,
    stdout: '',
    stderr:
      'openfountain needs Node 22.14 or newer (not 23.0 to 23.5), this is v20.9.0: install one from https://nodejs.org\n',
  })
})
