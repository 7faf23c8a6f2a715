/** Breaks one rule after the other in a scratch copy: `npm test` must find each. `npm run mutations -- [numbers]` */
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { run } from './packages/command.ts'
import mutations from './mutations.json' with { type: 'json' }
import { scratchCopy } from './test/scratch-copy.ts'
import { tagNames } from '@openfountain/testing/tags'

/** A rule's text in a file, a replacement that breaks it, and the test project that must find it. */
type Mutation = (typeof mutations)[number]

const untagged = tagNames.map((tag) => `!${tag}`).join(' && ')
const chosen = process.argv.slice(2).map(Number)
const copy = await scratchCopy()

/** Runs tests of `npm test` in the copy. @returns the file and the title of the first that fails */
async function firstFailing(project: string, file: string[] = []): Promise<string[] | undefined> {
  const options = ['run', '--bail=1', '--tags-filter', untagged, ...file]
  const { code, stdout, stderr } = await run(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', ...options, '--project', project],
    { cwd: copy.folder, env: { ...process.env, OPENFOUNTAIN_TESTS: 'quick' } },
  )
  if (code === 0) return undefined
  const [, failing = '', title = ''] =
    /FAIL\s+\S+\s+(\S+\.test\.ts)(.*)/u.exec(stripVTControlCharacters(stdout + stderr)) ?? []
  return [failing, title]
}

/** Whether tests pass with the rule whole, and fail twice with it broken. */
async function verdictOf({ file, from, to, project }: Mutation): Promise<string> {
  const whole = await copy.read(file)
  for (let tries = 0; tries < 8; tries++) {
    await copy.change(file, from, to)
    const failing = await firstFailing(project)
    const [name = '', title = ''] = failing ?? []
    const again = failing === undefined ? undefined : await firstFailing(project, [name])
    await writeFile(path.join(copy.folder, file), whole)
    if (failing === undefined) return 'MISSED'
    if (again === undefined) continue
    if ((await firstFailing(project, [name])) === undefined) return `found by ${name}${title}`
    console.error(`   ${name} fails in a copy: left out`)
    // Such as tests of processes that may read the project's own folder alone.
    await rm(path.join(copy.folder, project === 'site' ? project : `packages/${project}`, name))
  }
  return 'UNCLEAR: tests fail with the rule whole, or once alone'
}

let missed = 0
try {
  for (const [index, mutation] of mutations.entries()) {
    if (chosen.length > 0 && !chosen.includes(index + 1)) continue
    const verdict = await verdictOf(mutation)
    if (!verdict.startsWith('found')) missed += 1
    console.log(`${String(index + 1).padStart(2)} ${mutation.rule}\n   ${verdict}`)
  }
} finally {
  await copy.remove()
}
process.exitCode = missed === 0 ? 0 : 1
