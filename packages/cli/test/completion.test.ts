import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { loaded } from '../src/command.ts'
import { commands as named } from '../src/commands/all.ts'
import { completionScript, shells } from '../src/commands/completion.ts'
import { namesOf } from '../src/help.ts'

const commands = await loaded(named)

test.each(shells)('the completion of %s names every command and every option', (shell) => {
  const script = completionScript(shell, commands)
  for (const command of commands)
    for (const name of namesOf(command)) {
      const lines = script
        .split('\n')
        .filter((line) => [`${name}'`, `${name};`].some((end) => line.includes(end)))
      expect(lines).not.toEqual([])
      for (const option of Object.keys(command.options))
        expect(lines.some((line) => line.includes(shell === 'fish' ? `-l ${option}` : `--${option}`))).toBe(
          true,
        )
    }
})

const hasBash = spawnSync('bash', ['--version']).status === 0

function completed(...words: readonly string[]): string[] {
  const given = ['openfountain', ...words].map((word) => `'${word}'`).join(' ')
  const { stdout, stderr } = spawnSync('bash', ['--norc'], {
    encoding: 'utf8',
    input: `${completionScript('bash', commands)}
      COMP_WORDS=(${given}); COMP_CWORD=${words.length}
      _openfountain && printf '%s\\n' "\${COMPREPLY[@]}"; complete -p openfountain >&2`,
  })
  expect(stderr).toBe('complete -o default -F _openfountain openfountain\n')
  return stdout.split('\n').filter((word) => word !== '')
}

test.runIf(hasBash)(
  'bash completes commands, options and choices, and leaves values to names of files',
  () => {
    expect(completed('wayp')).toEqual(['waypoint'])
    expect(completed('user', 're')).toEqual(['rename', 'revert', 'remove'])
    expect(completed('import', 'u')).toEqual(['undo'])
    expect(completed('import', '--dry')).toEqual(['--dry-run'])
    expect(completed('import', 'undo', '--so')).toEqual(['--source'])
    expect(completed('user', 'erase', 'ada', '--te')).toEqual(['--texts'])
    expect(completed('user', 'remove', 'ada', '--texts', 'e')).toEqual(['erase'])
    expect(completed('stats', '--db', '')).toEqual([])
    expect(completed('frob', '')).toEqual([])
  },
)
