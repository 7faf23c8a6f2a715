import { RegistryError, type ErrorCode } from '@openfountain/core'
import { afterEach, expect, test, vi } from 'vitest'
import { loaded } from '../src/command.ts'
import { commands as named } from '../src/commands/all.ts'
import { exitCodes } from '../src/exit-codes.ts'
import { CommandError } from '../src/failure.ts'
import { namesOf } from '../src/help.ts'
import { readArguments } from '../src/options.ts'
import { run as runCommand } from '../src/program.ts'
import { commandPage } from '../../../scripts/generate/command-page.ts'
import { workplace } from '@openfountain/testing/command/shell'

const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"((?:\$\([^)]*\)|[^"])*)"|(\S+)/gu)].map(([, quoted, plain = '']) => quoted ?? plain)

const commands = await loaded(named)

afterEach(() => void vi.restoreAllMocks())

test('openfountain --help lists every command and every exit code; --version is the package’s', async () => {
  expect(commands.map(namesOf)).toEqual(named.map(namesOf))
  const { run } = await workplace()
  const { code, stdout } = await run('--help')
  expect(code).toBe(0)
  expect(commands.length).toBeGreaterThan(20)
  for (const { name, summary } of commands) {
    expect(stdout).toContain(`  ${name} `)
    expect(stdout).toContain(summary.split(' ').slice(0, 4).join(' '))
  }
  for (const { code: number } of Object.values(exitCodes))
    expect(stdout).toMatch(new RegExp(`^ {2}${number} `, 'mu'))
  expect(await run('--version')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+ \(without a build number\)\n$/u),
  })
  expect(await run('')).toMatchObject({
    code: 2,
    stdout: expect.stringContaining('Usage: openfountain COMMAND') as string,
  })
})

test('--help of every command, and of every group, explains options and commands', async () => {
  const { run } = await workplace()
  const helps = new Map<string, string>()
  const names = commands.flatMap(namesOf)
  const groups = names.flatMap((name) => (name.includes(' ') ? [name.split(' ')[0] ?? ''] : []))
  for (const name of new Set([...names, ...groups])) {
    const { code, stdout, stderr } = await run(`${name} --help`)
    expect([name, code, stderr]).toEqual([name, 0, ''])
    expect(stdout).not.toContain('\u001B')
    helps.set(name, stdout)
  }
  for (const command of commands)
    for (const name of namesOf(command)) {
      const text = helps.get(name)
      expect(text).toContain(`Usage: openfountain ${command.name}`)
      expect(text).toContain('Examples:')
      for (const option of Object.keys(command.options)) expect(text).toContain(`--${option}`)
      if (name.includes(' ')) expect(helps.get(name.split(' ')[0] ?? '')).toContain(name)
    }
})

test('every example names a command and options that there are', () => {
  for (const { examples } of commands) {
    expect(examples.length).toBeGreaterThan(0)
    for (const { line } of examples) {
      const [program, ...words] = wordsOf(line.replace(/ >{1,2} .*$/u, ''))
      expect(program).toBe('openfountain')
      const command = commands.find(({ name }) => `${words.join(' ')} `.startsWith(`${name} `))
      if (!command) throw new Error(`no command of: ${line}`)
      const args = words.slice(command.name.split(' ').length)
      expect(() => readArguments(args, command.options, command.positionals, {})).not.toThrow()
    }
  }
})

test('docs/cli.md says what --help says', async () => {
  const [path, text] = await commandPage()
  await expect(text).toMatchFileSnapshot(`../../../${path}`)
})

const ofRegistry = (code: ErrorCode) => new RegistryError(code, 'No')
const ofSystem = (code: string) => Object.assign(new Error('No'), { code, syscall: 'open' })
const ofSqlite = (code: string) => Object.assign(new Error('No'), { code })

/** Errors of commands by exit code, on which scripts rely. */
const failures: readonly (readonly [exit: number, errors: readonly unknown[]])[] = [
  [1, [new Error('No'), 'No', ofSystem('EIO')]],
  [2, [new CommandError('usage', 'No'), ofRegistry('INVALID_INPUT'), ofSystem('EISDIR')]],
  [3, [ofRegistry('NOT_FOUND'), ofSystem('ENOENT')]],
  [4, [ofRegistry('CHAIN_BROKEN')]],
  [5, [ofRegistry('FORBIDDEN'), ofRegistry('CONFLICT'), ofRegistry('RATE_LIMITED')]],
  [7, [ofRegistry('UNAVAILABLE'), ofRegistry('REGISTRY_CLOSED')]],
  [10, [ofRegistry('STORAGE_BUSY'), ofSystem('EADDRINUSE')]],
  [11, [ofRegistry('STORAGE_FULL'), ofSystem('ENOSPC'), ofSystem('EDQUOT'), ofSqlite('SQLITE_IOERR_WRITE')]],
  [12, [ofRegistry('STORAGE_READ_ONLY'), ofSystem('EROFS'), ofSystem('EACCES'), ofSqlite('SQLITE_READONLY')]],
  [13, [ofRegistry('STORAGE_CORRUPT')]],
  [14, [ofRegistry('STORAGE_MISSING')]],
  [15, [ofRegistry('STORAGE_NEWER')]],
  [16, [ofRegistry('STORAGE_OLDER')]],
  [17, [ofRegistry('STORAGE_NOT_ERASED')]],
  [18, [ofRegistry('CLOCK_BEHIND')]],
  [19, [ofRegistry('STORAGE_UNAVAILABLE')]],
  [130, [new DOMException('Stopped', 'AbortError')]],
]

test.each(failures)('a command ends with exit code %i for what has that reason', async (exit, errors) => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const [first] = commands
  if (!first) throw new Error('There is no command')
  for (const error of errors) {
    const failing = { ...first, execute: () => Promise.reject(error) }
    expect(await runCommand([{ name: 'fail', load: async () => failing }], ['fail'])).toBe(exit)
  }
})
