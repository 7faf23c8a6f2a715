import { describe, expect, test } from 'vitest'
import { loaded } from '../src/command.ts'
import { commands as named } from '../src/commands/all.ts'
import { exitCodes } from '../src/exit-codes.ts'
import { namesOf } from '../src/help.ts'
import { manual } from '../src/manual.ts'
import { readArguments } from '../src/options.ts'
import { folder, openfountain, openfountains } from '@openfountain/testing/command/shell'

/** The words of a line of a shell, as far as examples go: quotes group, variables stay. */
function wordsOf(line: string): string[] {
  const words: string[] = []
  for (const [, quoted, plain] of line.matchAll(/"((?:\$\([^)]*\)|[^"])*)"|(\S+)/gu))
    words.push(quoted ?? plain ?? '')
  return words
}

const commands = await loaded(named)

const groups = new Set(commands.flatMap(({ name }) => (name.includes(' ') ? [name.split(' ')[0] ?? ''] : [])))

test('every command is found by the names that it has', () => {
  expect(commands.map(namesOf)).toEqual(named.map(namesOf))
})

describe('help', () => {
  test('openfountain --help lists every command and every exit code', async () => {
    const { code, stdout } = await openfountain(['--help'])
    expect(code).toBe(0)
    expect(commands.length).toBeGreaterThan(20)
    for (const { name, summary } of commands) {
      expect(stdout).toContain(`  ${name} `)
      expect(stdout).toContain(summary.split(' ').slice(0, 4).join(' '))
    }
    for (const { code: number } of Object.values(exitCodes))
      expect(stdout).toMatch(new RegExp(`^ {2}${number} `, 'mu'))
  })

  test('--help of every command, and of every group, explains options and commands', async () => {
    const lines = [...commands.flatMap(namesOf), ...groups].map((name) => [...name.split(' '), '--help'])
    const answers = await openfountains(lines, { cwd: await folder() })
    const helps = new Map(lines.map((words, index) => [words.slice(0, -1).join(' '), answers[index]]))
    for (const [name, help] of helps) {
      expect([name, help?.code, help?.stderr]).toEqual([name, 0, ''])
      expect(help?.stdout).not.toContain('\u001B')
    }
    for (const command of commands)
      for (const name of namesOf(command)) {
        const text = helps.get(name)?.stdout
        expect(text).toContain(`Usage: openfountain ${command.name}`)
        expect(text).toContain('Examples:')
        for (const option of Object.keys(command.options)) expect(text).toContain(`--${option}`)
        const [group = ''] = name.split(' ')
        if (name.includes(' ')) expect(helps.get(group)?.stdout).toContain(name)
      }
  })

  test('every example names a command and options that there are', () => {
    for (const { examples } of commands) {
      expect(examples.length).toBeGreaterThan(0)
      for (const { line } of examples) {
        const [program, ...words] = wordsOf(line.replace(/ >> .*$/u, ''))
        expect(program).toBe('openfountain')
        const command = commands.find(({ name }) => `${words.join(' ')} `.startsWith(`${name} `))
        if (!command) throw new Error(`no command of: ${line}`)
        const args = words.slice(command.name.split(' ').length)
        expect(() => readArguments(args, command.options, command.positionals, {})).not.toThrow()
      }
    }
  })

  test('without arguments it prints the help and has the code of wrong usage', async () => {
    const { code, stdout } = await openfountain([])
    expect(code).toBe(2)
    expect(stdout).toContain('Usage: openfountain COMMAND')
  })

  test('--version prints the version of the package', async () => {
    const { code, stdout } = await openfountain(['--version'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/u)
  })

  test('docs/cli.md says what --help says', async () => {
    await expect(manual(commands)).toMatchFileSnapshot('../../../docs/cli.md')
  })
})

describe('wrong usage', () => {
  const refused: readonly (readonly [args: readonly string[], message: string])[] = [
    [['frob'], 'command "frob" not found'],
    [['user'], 'user needs a subcommand: user invite'],
    [['user', 'frob'], 'command "user frob" not found; the commands are user invite'],
    [['user', 'add'], '--name is missing: give --name NAME'],
    [['user', 'add', '--nam', 'Ada'], "Unknown option '--nam': --help lists the options of this command"],
    [['user', 'block', '--user', 'u1'], "Unknown option '--user': --help lists the options of this command"],
    [['user', 'add', '--name', 'Ada', '--xp', 'many'], '--xp must be a whole number from 0 to'],
    [['user', 'add', '--name', 'Ada', '--xp', '1e3'], '--xp must be a whole number from 0 to'],
    [['user', 'show'], 'ID is missing'],
    [['user', 'show', 'ada', 'grace'], 'unexpected argument "grace"'],
    [['session', 'revoke', 'first'], 'ID must be a whole number, not "first"'],
    [['log', 'show', '--action', 'painted'], '--action must be one of created, edited'],
    [['log', 'verify', '--known', '7'], '--known must be an id and a hash'],
    [['serve', '--port', '70000'], '--port must be a whole number from 0 to 65535'],
    [['import', 'x.csv'], '--source is missing'],
    [['import', 'x.csv', '--source', 'X'], '--license is missing'],
    [
      ['import', 'x.csv', '--source', 'X', '--license', 'CC0-1.0', '--swap', '--no-swap'],
      'exclude each other',
    ],
    [['import', 'x.csv', '--map', 'nowhere'], 'no ready map has this name; the ready maps are'],
    [['export', '--out', 'x', '--bbox', '1,2,3'], '--bbox must be four numbers'],
  ]

  test('is refused in one line that says what is right', async () => {
    const answers = await openfountains(
      refused.map(([args]) => args),
      { cwd: await folder(), env: { OPENFOUNTAIN_DB: ':memory:' } },
    )
    for (const [index, [args, message]] of refused.entries()) {
      const { code, stdout, stderr = '' } = answers[index] ?? {}
      expect({ args, code, stdout, stderr }).toEqual({
        args,
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(message) as string,
      })
      expect(stderr.trim().split('\n')).toHaveLength(1)
    }
  })

  test('with --json a failure is JSON on standard error in the shape of the API', async () => {
    const { code, stdout, stderr } = await openfountain(['user', 'add', '--json'])
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(JSON.parse(stderr)).toEqual({
      error: '--name is missing: give --name NAME',
      code: 'USAGE',
      details: {},
    })
  })
})
