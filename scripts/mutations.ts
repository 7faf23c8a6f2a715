/** Breaks one rule after the other in a scratch copy: `npm test` must find each. `npm run mutations -- [numbers]` */
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { run } from './packages/command.ts'
import { scratchCopy } from './test/scratch-copy.ts'
import { tagNames } from '@openfountain/testing/tags'

/** A rule's text in a file, and a replacement that breaks it. */
interface Mutation {
  readonly rule: string
  readonly file: string
  readonly from: string
  readonly to: string
  /** The test projects that must find it. */
  readonly projects: readonly string[]
}

const core = ['core']
const mutations: readonly Mutation[] = [
  {
    rule: 'the gate is passed with exactly the XP that it needs',
    file: 'packages/core/src/decide/contributor.ts',
    from: 'who.xp >= required',
    to: 'who.xp > required',
    projects: core,
  },
  {
    rule: 'an API token passes every gate',
    file: 'packages/core/src/decide/contributor.ts',
    from: "who.kind === 'token' || who.xp >= required",
    to: 'who.xp >= required',
    projects: core,
  },
  {
    rule: 'editing earns 10 XP',
    file: 'packages/core/src/rules.ts',
    from: 'editWaypoint: 10,\n    postReview: 5',
    to: 'editWaypoint: 11,\n    postReview: 5',
    projects: core,
  },
  {
    rule: 'the bonus for verification is paid once, ever',
    file: 'packages/core/src/decide/waypoint.ts',
    from: 'patch.verified === true && !before.verifiedOnce',
    to: 'patch.verified === true',
    projects: core,
  },
  {
    rule: 'a level begins at its XP',
    file: 'packages/core/src/rules.ts',
    from: 'if (xp >= start) level',
    to: 'if (xp > start) level',
    projects: core,
  },
  {
    rule: 'a block ends at its time',
    file: 'packages/core/src/decide/contributor.ts',
    from: 'until === undefined || until > at',
    to: 'until === undefined || until >= at',
    projects: core,
  },
  {
    rule: 'a box may cross the antimeridian',
    file: 'packages/core/src/places/geodesy.ts',
    from: 'west > east ? longitude >= west || longitude <= east',
    to: 'west > east ? longitude >= west && longitude <= east',
    projects: core,
  },
  {
    rule: 'one report is no agreement',
    file: 'packages/core/src/status.ts',
    from: 'facts.length >= observing.agreeing',
    to: 'facts.length >= 1',
    projects: core,
  },
  {
    rule: 'a season may go over the turn of the year',
    file: 'packages/core/src/season.ts',
    from: 'from <= given || given <= to',
    to: 'from <= given && given <= to',
    projects: core,
  },
  {
    rule: 'leaves and nodes of the tree have different prefixes',
    file: 'packages/core/src/log/tree.ts',
    from: '`\\u0000${data}`',
    to: '`\\u0001${data}`',
    projects: core,
  },
  {
    rule: 'a session ends after idle days',
    file: 'packages/core/src/accounts/sessions.ts',
    from: 'lifetime.idleDays * minutesOf.day) <= now',
    to: "lifetime.idleDays * minutesOf.day) < ''",
    projects: core,
  },
  {
    rule: 'an observation earns once a week',
    file: 'packages/core/src/decide/observation.ts',
    from: '-observing.earnedEveryDays',
    to: '-1',
    projects: core,
  },
  {
    rule: 'writes with a cookie come from pages of this origin',
    file: 'packages/server/src/caller.ts',
    from: '} else if (this.#origins.allows(origin) || this.#pages.isOwn(origin, request)) {',
    to: "} else if (origin !== 'null') {",
    projects: ['server'],
  },
  {
    rule: 'a session cookie is out of reach of scripts',
    file: 'packages/server/src/http/cookies.ts',
    from: 'HttpOnly; SameSite=Lax',
    to: 'SameSite=Lax',
    projects: ['server'],
  },
  {
    rule: 'cells that a spreadsheet would run are neutralised',
    file: 'packages/core/src/published/cells.ts',
    from: 'return simple.test(value) ? value : csvField(neutraliseCell(value))',
    to: 'return simple.test(value) ? value : csvField(value)',
    projects: ['exchange'],
  },
  {
    rule: 'text in XML is escaped',
    file: 'packages/exchange/src/export/text/xml.ts',
    from: "'<': '&lt;'",
    to: "'<': '<'",
    projects: ['exchange'],
  },
  {
    rule: 'CC BY needs a permission under ODbL',
    file: 'packages/exchange/src/licences/compatibility.ts',
    from: '{ verdict: rule.verdict, reason',
    to: "{ verdict: 'yes', reason",
    projects: ['exchange'],
  },
  {
    rule: 'a personal token never has the rights of a moderator',
    file: 'packages/core/src/decide/contributor.ts',
    from: "signed.kind === 'user' && signed.through !== 'token'",
    to: "signed.kind === 'user'",
    projects: core,
  },
  {
    rule: 'a redaction removes the seed of its entry',
    file: 'packages/core/src/log/subjects.ts',
    from: 'seed: null,',
    to: 'seed: entry.seed,',
    projects: core,
  },
  {
    rule: 'the filter of verified fountains leaves out others',
    file: 'site/src/map/list/filter.ts',
    from: 'matches: ({ verified }) => verified',
    to: 'matches: () => true',
    projects: ['site'],
  },
]

const untagged = tagNames.map((tag) => `!${tag}`).join(' && ')
const chosen = process.argv.slice(2).map(Number)
const copy = await scratchCopy()

/** Runs tests of `npm test` in the copy. @returns the file and the title of the first that fails */
async function firstFailing(projects: readonly string[], file: string[] = []): Promise<string[] | undefined> {
  const options = ['run', '--bail=1', '--tags-filter', untagged, ...file]
  const { code, stdout, stderr } = await run(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', ...options, ...projects.flatMap((project) => ['--project', project])],
    { cwd: copy.folder, env: { ...process.env, OPENFOUNTAIN_TESTS: 'quick' } },
  )
  if (code === 0) return undefined
  const [, failing = '', title = ''] =
    /FAIL\s+\S+\s+(\S+\.test\.ts)(.*)/u.exec(stripVTControlCharacters(stdout + stderr)) ?? []
  return [failing, title]
}

/** Whether tests pass with the rule whole, and fail twice with it broken. */
async function verdictOf({ file, from, to, projects }: Mutation): Promise<string> {
  const whole = await copy.read(file)
  for (let tries = 0; tries < 8; tries++) {
    await copy.change(file, from, to)
    const failing = await firstFailing(projects)
    const [name = '', title = ''] = failing ?? []
    const again = failing === undefined ? undefined : await firstFailing(projects, [name])
    await writeFile(path.join(copy.folder, file), whole)
    if (failing === undefined) return 'MISSED'
    if (again === undefined) continue
    if ((await firstFailing(projects, [name])) === undefined) return `found by ${name}${title}`
    console.error(`   ${name} fails in a copy: left out`)
    // Such as tests of processes that may read the project's own folder alone.
    await rm(path.join(copy.folder, file.replace(/\/src\/.*/u, ''), name))
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
