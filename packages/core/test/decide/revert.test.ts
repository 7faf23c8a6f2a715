import { describe, expect, test } from 'vitest'
import { anonymous, token, user } from '@openfountain/core'
import { type Reverted } from '../../src/decide/revert.ts'
import { ada, api, bob, History, mo, refusal } from './history.ts'
import { square } from './world.ts'

const reverting = (history: History, id: number) => refusal(() => history.revert(id))

describe('undoing an entry', () => {
  test('an edit gets the values back that the fields had, and takes the award back; undone in turn, it stands with its award', () => {
    const history = new History()
    history.create(ada, { description: 'Old' })
    const edit = history.edit(bob, 1, { name: 'Spam', description: null, region: 'Spam', amenities: ['tap'] })
    expect(history.xp('bob')).toBe(110)
    const before = history.world.get('user', 'bob')?.stats
    expect(history.revert(edit)).toEqual([edit + 1])
    const old = { name: square.name, description: 'Old', region: null, amenities: [], reason: 'spam' }
    const awards = [['bob', 'editWaypoint', -10]]
    expect(history.after(edit)).toEqual([
      { about: 'waypoint 1 edited', fields: old, awards, links: { reverts: edit } },
    ])
    expect(history.xp('bob')).toBe(100)
    expect(history.xp('mo')).toBe(100)
    expect(history.world.get('user', 'bob')?.stats).toEqual(before)
    expect(history.world.get('user', 'mo')?.stats.waypointsEdited).toBe(0)
    history.revert(edit + 1)
    expect(history.world.get('waypoint', 1)).toMatchObject({ name: 'Spam', region: 'Spam' })
    expect(history.xp('bob')).toBe(110)
    history.revert(edit)
    expect(history.xp('bob')).toBe(100)
  })

  test('only its own fields stand against it when others changed them', () => {
    const history = new History()
    history.create()
    const edit = history.edit(bob, 1, { name: 'Spam', region: 'Spam' })
    history.edit(ada, 1, { description: 'New' })
    const other = history.edit(ada, 1, { region: 'Lund' })
    expect(reverting(history, edit)).toEqual({ code: 'CONFLICT', details: { fields: ['region'] } })
    history.revert(other)
    expect(history.revert(edit)).toHaveLength(1)
    expect(history.world.get('waypoint', 1)).toMatchObject({ name: square.name, description: 'New' })
  })

  test('flags turn back, and the bonus is taken back and not paid twice', () => {
    const history = new History()
    history.create()
    expect(history.xp('ada')).toBe(150)
    const verified = history.edit(mo, 1, { verified: true })
    expect(history.xp('ada')).toBe(175)
    history.revert(verified)
    expect(history.newest).toMatchObject({ action: 'unverified', awards: [['ada', 'waypointVerified', -25]] })
    expect(history.xp('ada')).toBe(150)
    history.edit(mo, 1, { verified: true })
    expect(history.xp('ada')).toBe(150)
    const approved = history.edit(mo, 1, { approved: true })
    history.revert(approved)
    expect(history.world.get('waypoint', 1)).toMatchObject({ approved: false, verified: true })
  })

  test('a creation is deleted, and everything that it earned is taken back', () => {
    const history = new History()
    const id = history.create(token('ada'), { verified: true })
    expect(history.xp('ada')).toBe(175)
    history.revert(id)
    const awards = [
      ['ada', 'createWaypoint', -50],
      ['ada', 'waypointVerified', -25],
    ]
    const fields = { reason: 'spam' }
    expect(history.newest).toMatchObject({ action: 'deleted', fields, awards, links: { reverts: id } })
    expect(history.xp('ada')).toBe(100)
    expect(history.world.get('waypoint', 1)?.deletedAt).toBeDefined()
  })

  test('a creation stays when others changed the waypoint, unless that was undone', () => {
    const history = new History()
    const id = history.create()
    const edit = history.edit(bob, 1, { name: 'Better', region: 'Lund' })
    expect(reverting(history, id)).toEqual({ code: 'CONFLICT', details: { fields: ['name', 'region'] } })
    const [undone = 0] = history.revert(edit)
    history.revert(undone)
    expect(reverting(history, id).code).toBe('CONFLICT')
    history.revert(history.newest.id)
    expect(history.revert(id)).toHaveLength(1)
  })

  test('a deletion is restored with everything that it was', () => {
    const history = new History()
    history.create(ada, { description: 'Old', amenities: ['tap'] })
    history.edit(mo, 1, { verified: true })
    const before = history.world.get('waypoint', 1)
    const deleted = history.remove(mo, 1)
    const xp = history.xp('ada')
    history.revert(deleted)
    const links = { reverts: deleted, restores: deleted }
    expect(history.newest).toMatchObject({ action: 'created', awards: [], links })
    const { updatedAt, version, ...after } = history.world.get('waypoint', 1) ?? {}
    expect({ ...before }).toMatchObject(after)
    expect(updatedAt).toBe(history.newest.at)
    expect(version).toBe(history.newest.id)
    expect(history.xp('ada')).toBe(xp)
    expect(history.world.get('user', 'mo')?.stats.waypointsCreated).toBe(0)
  })

  test('reviews: a posted one is deleted, a deleted one comes back under its author', () => {
    const history = new History()
    history.create()
    const posted = history.review(bob, 1, 'Bad')
    expect(history.xp('bob')).toBe(105)
    history.revert(posted)
    expect(history.xp('bob')).toBe(100)
    expect(history.world.get('review', 1)).toMatchObject({ deletedAt: history.newest.at })
    history.review(bob, 1, 'Good')
    const deleted = history.unreview(mo, 2)
    history.revert(deleted)
    const fields = { comment: 'Good', rating: 4, waypoint: 1, reason: 'spam' }
    expect(history.newest).toMatchObject({ action: 'created', fields, awards: [] })
    expect(history.world.get('review', 2)).toMatchObject({ userId: 'bob', comment: 'Good' })
    expect(history.world.get('review', 2)).not.toHaveProperty('deletedAt')
    expect(history.world.get('user', 'bob')?.stats.reviewsPosted).toBe(2)
  })

  test('reviews: a changed one has its rating and its comment again, unless somebody changed them since', () => {
    const history = new History()
    history.create()
    history.review(bob, 1, 'Cold')
    const edit = history.rereview(bob, 1, { rating: 1, comment: 'Spam' })
    const [undone = 0] = history.revert(edit)
    const fields = { comment: 'Cold', rating: 4, reason: 'spam' }
    expect(history.after(edit)).toEqual([{ about: 'review 1 edited', fields, links: { reverts: edit } }])
    expect(history.world.get('review', 1)).toMatchObject({ comment: 'Cold', rating: 4 })
    expect(reverting(history, edit)).toEqual({ code: 'CONFLICT', details: { fields: ['comment', 'rating'] } })
    history.revert(undone)
    expect(history.world.get('review', 1)).toMatchObject({ comment: 'Spam', rating: 1 })
    const cleared = history.rereview(bob, 1, { comment: null })
    expect(reverting(history, edit).code).toBe('CONFLICT')
    history.revert(cleared)
    expect(history.world.get('review', 1)).toMatchObject({ comment: 'Spam' })
    history.unreview(bob, 1)
    expect(reverting(history, cleared).code).toBe('CONFLICT')
    expect(history.xp('bob')).toBe(105)
  })

  test('reviews: a deleted one comes back as it was changed last, without a redacted comment and any older one', () => {
    const history = new History()
    history.create()
    history.review(bob, 1, 'Cold')
    const edit = history.rereview(bob, 1, { rating: 2, comment: 'Warm' })
    history.revert(history.unreview(mo, 1))
    expect(history.newest).toMatchObject({ fields: { comment: 'Warm', rating: 2, waypoint: 1 } })
    const deleted = history.unreview(mo, 1)
    history.redact(edit)
    history.revert(deleted)
    expect(history.newest).toMatchObject({ action: 'created', fields: { rating: 2, waypoint: 1 } })
    expect(history.world.get('review', 1)).not.toHaveProperty('comment')
  })

  test('nothing is undone twice, even when the same values stand again', () => {
    const history = new History()
    const id = history.create()
    const edit = history.edit(bob, 1, { name: 'Spam' })
    history.revert(edit)
    expect(reverting(history, edit)).toEqual({ code: 'CONFLICT', details: { fields: ['name'] } })
    history.edit(bob, 1, { name: 'Spam' })
    expect(reverting(history, edit)).toEqual({ code: 'CONFLICT', details: { fields: ['name'] } })
    expect(history.xp('bob')).toBe(110)
    history.revert(history.newest.id)
    history.revert(id)
    expect(reverting(history, id).code).toBe('CONFLICT')
    const deletion = history.newest.id
    history.revert(deletion)
    expect(reverting(history, deletion).code).toBe('CONFLICT')
    const posted = history.review(bob, 1)
    const deleted = history.unreview(bob, 1)
    history.revert(deleted)
    history.unreview(bob, 1)
    expect(reverting(history, deleted).code).toBe('CONFLICT')
    expect(reverting(history, posted).code).toBe('CONFLICT')
  })

  test('a redacted value does not come back, and no older one in its place', () => {
    const history = new History()
    history.create(ada, { description: 'First' })
    const middle = history.edit(ada, 1, { description: 'Jane' })
    const edit = history.edit(bob, 1, { description: 'Spam' })
    history.redact(middle)
    history.revert(edit)
    expect(history.newest.fields).toEqual({ description: null, reason: 'spam' })
    const created = history.create(ada, { name: 'Jane' })
    const renamed = history.edit(bob, 2, { name: 'Spam' })
    history.redact(created)
    history.revert(renamed)
    expect(history.world.get('waypoint', 2)?.name).toBe('(redacted)')
    const id = history.create(ada, { description: 'Jane' })
    history.redact(id, { fields: ['description'] })
    expect(reverting(history, id + 1)).toEqual({ code: 'CONFLICT', details: { fields: ['description'] } })
  })

  test.for<[string, (history: History) => unknown, string]>([
    ['somebody who does not moderate', (history) => history.revert(7, ada), 'FORBIDDEN'],
    ['nobody', (history) => history.revert(7, anonymous), 'UNAUTHORIZED'],
    ['an unknown user', (history) => history.revert(7, user('x')), 'UNAUTHORIZED'],
    ['an entry that is not there', (history) => history.revert(99), 'NOT_FOUND'],
    ['an entry about a person', (history) => history.revert(1), 'INVALID_INPUT'],
  ])('refused: %s', ([, write, code]) => {
    const history = new History()
    history.create()
    expect(refusal(() => write(history)).code).toBe(code)
  })
})

describe('undoing a person', () => {
  test('their chain of edits is undone newest first, in one act; restores earn nothing', () => {
    const history = new History()
    history.create()
    const first = history.edit(bob, 1, { name: 'A' })
    const second = history.edit(bob, 1, { name: 'B' })
    const created = history.create(bob, { name: 'Spam' })
    const edited = history.edit(bob, 2, { name: 'More spam' })
    const reviewed = history.review(bob, 1, 'Spam')
    const stats = history.world.get('user', 'bob')?.stats
    const before = history.world.state.size
    expect(history.revertPerson('bob')).toEqual({
      reverted: [reviewed, edited, created, second, first],
      conflicts: [],
    })
    expect(history.world.get('waypoint', 1)?.name).toBe(square.name)
    expect(history.world.get('waypoint', 2)?.deletedAt).toBeDefined()
    expect(history.xp('bob')).toBe(100)
    expect(history.world.get('user', 'bob')?.stats).toEqual(stats)
    expect(history.after(before)).toMatchObject(
      [reviewed, edited, created, second, first].map((reverts) => ({ links: { act: before + 1, reverts } })),
    )
  })

  test('what others changed since stays and is listed; all else is undone', () => {
    const history = new History()
    history.create()
    const named = history.edit(bob, 1, { name: 'Spam' })
    const other = history.edit(bob, 1, { region: 'Spam' })
    history.edit(ada, 1, { name: 'Right' })
    const created = history.create(bob)
    history.edit(ada, 2, { region: 'Lund' })
    expect(history.revertPerson('bob')).toEqual({
      reverted: [other],
      conflicts: [
        { entry: created, fields: ['region'] },
        { entry: named, fields: ['name'] },
      ],
    })
  })

  test('field by field: what somebody mended since stays, all else goes back, and the XP with it', () => {
    const history = new History()
    history.create()
    const moved = { latitude: 1, longitude: 2 }
    const edit = history.edit(bob, 1, { name: 'Spam', description: 'Spam', ...moved })
    history.edit(ada, 1, { description: 'Right' })
    expect(history.revertPerson('bob')).toEqual({
      reverted: [edit],
      conflicts: [{ entry: edit, fields: ['description'] }],
    })
    expect(history.world.get('waypoint', 1)).toMatchObject({ ...square, description: 'Right' })
    expect(history.newest.awards).toEqual([['bob', 'editWaypoint', -10]])
    expect(history.revertPerson('bob')).toEqual({ reverted: [], conflicts: [] })
  })

  test('a position of which somebody mended one half stays', () => {
    const history = new History()
    history.create()
    const edit = history.edit(bob, 1, { name: 'Spam', latitude: 1, longitude: 2 })
    history.edit(ada, 1, { latitude: 3 })
    expect(history.revertPerson('bob').conflicts).toEqual([
      { entry: edit, fields: ['latitude', 'longitude'] },
    ])
    expect(history.world.get('waypoint', 1)).toMatchObject({ name: square.name, latitude: 3, longitude: 2 })
  })

  test('only since a time; a deletion is restored, what they undid stays; a second time does nothing', () => {
    const history = new History()
    history.create(bob)
    const since = history.at
    const later = history.edit(bob, 1, { name: 'Spam' })
    expect(history.revertPerson('bob', { since }).reverted).toEqual([later])
    const size = history.world.state.size
    expect(history.revertPerson('bob', { since })).toEqual({ reverted: [], conflicts: [] })
    expect(history.revertPerson('mo')).toEqual({ reverted: [], conflicts: [] })
    expect(history.world.state.size).toBe(size)
    const deleted = history.remove(mo, 1)
    expect(history.revertPerson('mo', {}, api).reverted).toEqual([deleted])
    expect(history.world.get('waypoint', 1)).not.toHaveProperty('deletedAt')
  })

  test.for<[string, (next: number | undefined) => { before?: number }]>([
    ['with the place of the next one', (next = 0) => ({ before: next })],
    ['by asking the same again', () => ({})],
  ])('in pages of 500, %s; what the page before undid does not stand against it', ([, again]) => {
    const history = new History()
    const created = history.create(bob)
    for (let index = 1; index <= 501; index++) history.edit(bob, 1, { name: `Spam ${index}` })
    const first = history.revertPerson('bob', {}, api)
    expect(first.reverted).toHaveLength(500)
    expect(first.next).toBe(created + 2)
    const second = history.revertPerson('bob', again(first.next), api)
    expect(second).toEqual({ reverted: [created + 1, created], conflicts: [] })
    expect(history.xp('bob')).toBe(100)
    const deletedAt = history.newest.at
    expect(history.world.get('waypoint', 1)).toMatchObject({ name: square.name, deletedAt })
  })

  test('the pages of a dry run say what the pages do, whatever was changed how often', () => {
    const history = new History()
    for (const actor of [ada, bob]) history.create(actor)
    history.review(bob, 1, 'Spam')
    history.unreview(bob, 1)
    for (let index = 1; index <= 1010; index++) {
      history.edit(bob, 1, { [index % 2 === 0 ? 'name' : 'region']: `Spam ${index}` })
      if (index === 700) history.edit(ada, 1, { region: 'Lund' })
    }
    const pages = (dryRun: boolean): Reverted[] => {
      const found: Reverted[] = []
      for (let before: number | undefined; ;) {
        const page = history.revertPerson('bob', { dryRun, before }, api)
        found.push(page)
        if (page.next === undefined) return found
        before = page.next
      }
    }
    const [dry, done] = [pages(true), pages(false)]
    expect(dry).toEqual(done)
    expect(done.map(({ reverted, conflicts }) => [reverted.length, conflicts.length])).toEqual([
      [405, 95],
      [250, 250],
      [8, 5],
    ])
  })

  test.for<[string, (history: History) => unknown, string]>([
    ['by somebody who does not moderate', (history) => history.revertPerson('bob', {}, ada), 'FORBIDDEN'],
    ['of nobody', (history) => history.revertPerson('nobody'), 'NOT_FOUND'],
    ['of imports and programs', (history) => history.revertPerson('api', {}, api), 'FORBIDDEN'],
    ['of observers', (history) => history.revertPerson('observer', {}, mo), 'FORBIDDEN'],
    ['of imports, even so', (history) => history.revertPerson('api', { evenBuiltIn: true }, mo), 'FORBIDDEN'],
    ['since no time', (history) => history.revertPerson('bob', { since: 'yesterday' }), 'INVALID_INPUT'],
  ])('refused: %s', ([, write, code]) => {
    expect(refusal(() => write(new History())).code).toBe(code)
  })
})

/** The current state without times and versions, which always advance. */
const moving = { updatedAt: '', version: 0, actions: {} }
const standing = ({ world }: History): object =>
  (['waypoint', 'review', 'observation', 'observer', 'record', 'user'] as const).map((noun) =>
    world.all(noun).map((each) => ({ ...each, ...moving, deletedAt: 'deletedAt' in each })),
  )

test('undoing an act: of a person’s revert, what it took back stands again, with the XP, and it can be undone in turn', () => {
  const history = new History()
  history.create()
  history.edit(bob, 1, { name: 'Better', description: 'New' })
  history.edit(bob, 1, { description: 'Newer' })
  history.create(bob, { verified: true })
  history.remove(mo, 2)
  history.create(bob)
  history.review(bob, 1, 'Fine')
  history.observe(bob, 1, 'works')
  const before = standing(history)
  const act = history.world.state.size + 1
  const { reverted } = history.revertPerson('bob')
  const between = standing(history)
  const undone = reverted.map((_each, at) => act + reverted.length - 1 - at)
  expect(history.undo(act)).toEqual({ undone, conflicts: [] })
  expect(standing(history)).toEqual(before)
  expect(history.undo(act)).toEqual({ undone: [], conflicts: [] })
  history.undo(act + reverted.length)
  expect(standing(history)).toEqual(between)
  history.undo(act)
  expect(standing(history)).toEqual(before)
})

test('undoing an act: what was changed since stays, field by field', () => {
  const history = new History()
  history.create()
  history.edit(bob, 1, { name: 'Better', description: 'New' })
  history.create(bob)
  const act = history.world.state.size + 1
  history.revertPerson('bob')
  history.edit(ada, 1, { description: 'Mine' })
  history.restore(2)
  const conflicts = [
    { entry: act + 1, fields: ['description'] },
    { entry: act, fields: ['deletedAt'] },
  ]
  expect(history.undo(act)).toEqual({ undone: [act + 1], conflicts })
  expect(history.world.get('waypoint', 1)).toMatchObject({ name: 'Better', description: 'Mine' })
  expect(history.xp('bob')).toBe(110)
})

test('undoing an act: a merge is undone with what it moved, and what is undone is merged again', () => {
  const history = new History()
  for (const actor of [ada, bob]) history.create(actor)
  const terms = history.run()
  history.row(terms, { ref: 'a', mergeInto: 2, input: {} })
  history.review(bob, 2, 'Fine')
  history.observe(bob, 2, 'works')
  const before = standing(history)
  const act = history.world.state.size + 1
  history.merge(2, 1)
  const merged = standing(history)
  const undo = history.world.state.size + 1
  expect(history.undo(act)).toEqual({ undone: [act], conflicts: [] })
  expect(standing(history)).toEqual(before)
  const again = history.world.state.size + 1
  history.undo(undo)
  expect(standing(history)).toEqual(merged)
  const apart = history.world.state.size + 1
  history.undo(again)
  history.review(ada, 2)
  expect(history.undo(apart).conflicts).toEqual([{ entry: apart, fields: ['reviews'] }])
})

const redacted = (history: History) => {
  history.redact(history.edit(ada, 1, { description: 'Jane' }))
  return history.newest.links.act ?? history.newest.id
}
const unreviewed = (history: History) => history.unreview(ada, (history.review(ada, 1), 1))
test.for<[string, (history: History) => unknown, string]>([
  ['by somebody who does not moderate', (history) => history.undo(history.remove(mo, 1), ada), 'FORBIDDEN'],
  ['of the operator, by a moderator', (history) => history.undo(history.remove(api, 1)), 'FORBIDDEN'],
  ['of what is no act', (history) => history.undo(history.edit(ada, 1, { name: 'Other' })), 'NOT_FOUND'],
  ['of an author who deleted their review', (history) => history.undo(unreviewed(history)), 'NOT_FOUND'],
  ['of a block', (history) => history.undo(history.block('bob', 'Spam')), 'CONFLICT'],
  ['of a redaction', (history) => history.undo(redacted(history), api), 'CONFLICT'],
])('undoing an act: refused: %s', ([, write, code]) => {
  const history = new History()
  history.create()
  expect(refusal(() => write(history)).code).toBe(code)
})

describe('a moderator', () => {
  test('removes and takes back 500 things in an hour, however; undoing their own acts does not count', () => {
    const history = new History()
    history.create()
    history.create()
    const edits = Array.from({ length: 502 }, (_each, index) =>
      history.edit(bob, 1, { name: `Spam ${index}` }),
    )
    history.undo(history.remove(mo, 1))
    const act = history.world.state.size + 1
    const page = history.revertPerson('bob')
    expect(page.reverted).toHaveLength(499)
    const tooMany = { code: 'RATE_LIMITED', details: { limit: 500, windowSeconds: 3600 } }
    for (const write of [
      () => history.remove(mo, 1),
      () => history.revert(edits[0] ?? 0),
      () => history.revertPerson('bob', { before: page.next }),
      () => history.merge(2, 1),
      () => history.unreview(mo, (history.review(ada, 1), 1)),
    ])
      expect(refusal(write)).toMatchObject(tooMany)
    history.edit(mo, 1, { approved: true })
    history.restore(2, (history.remove(api, 2), mo))
    history.undo(act)
    while (history.at < '2026-01-01T10:30') history.edit(ada, 1, { name: history.at })
    history.remove(mo, 1)
  })
})
