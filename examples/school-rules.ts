import { defaultRules, openRegistry, user, type Rules } from '@openfountain/core'

/** A school maps its neighbourhood: pupils may add fountains at once, reviews earn more, each fountain only once. */
export const schoolRules = {
  ...defaultRules,
  xp: { ...defaultRules.xp, createWaypoint: 20, editWaypoint: 5, postReview: 15, waypointVerified: 40 },
  gates: { ...defaultRules.gates, createWaypoint: 0, editWaypoint: 30, postReview: 0 },
  levels: { starts: [0, 20, 60, 120], thenEvery: 60 },
  reviews: { onePerWaypoint: true },
} as const satisfies Rules

/** node school-rules.ts [school.db] */
const registry = await openRegistry({ database: process.argv[2] ?? 'school.db', rules: schoolRules })
const pupil = await registry.users.ensure({ externalId: 'class-5b', name: 'Class 5b' })
await registry.waypoints.create(
  { name: 'School yard', latitude: 55.7101, longitude: 13.2012, amenities: ['bottle-filler'] },
  user(pupil.id),
)
const { xp, level } = await registry.users.get(pupil.id)
console.log(`${pupil.name} has ${xp} XP and is on level ${level}`)
await registry.close()
