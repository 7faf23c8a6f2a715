/** Names that JavaScript moves to the front of an object, or takes for its prototype. */
const unordered = /^\d|^__proto__$/

/** The same value with its members in code unit order, or undefined when JavaScript cannot keep that order. */
function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.some((each) => typeof each === 'object') ? undefined : value
  const members = value as Readonly<Record<string, unknown>>
  const sorted: Record<string, unknown> = {}
  for (const name of Object.keys(members).toSorted()) {
    if (unordered.test(name)) return undefined
    const member = members[name]
    if (member === undefined) continue
    sorted[name] = ordered(member)
    if (sorted[name] === undefined) return undefined
  }
  return sorted
}

/** Whether a value is a flat object whose members are in code unit order and not undefined. */
function isOrdered(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const members = value as Readonly<Record<string, unknown>>
  let before = ''
  for (const name of Object.keys(members)) {
    const member = members[name]
    if (name < before || member === undefined) return false
    if (typeof member === 'object' && member !== null) {
      if (!Array.isArray(member) || member.some((each) => typeof each === 'object')) return false
    }
    before = name
  }
  return true
}

/**
 * JSON with members in code unit order and no white space, the same for equal values (RFC 8785, for the values in a
 * log).
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object') return JSON.stringify(value)
  // One call for the whole object is faster than one for each member.
  return JSON.stringify(isOrdered(value) ? value : ordered(value)) ?? memberByMember(value)
}

function memberByMember(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(memberByMember).join(',')}]`
  const members = value as Readonly<Record<string, unknown>>
  const texts = Object.keys(members)
    .toSorted()
    .filter((name) => members[name] !== undefined)
    .map((name) => `${JSON.stringify(name)}:${memberByMember(members[name])}`)
  return `{${texts.join(',')}}`
}

/** Whether two JSON values are equal, in any order of members. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true
  const areObjects = typeof one === 'object' && typeof other === 'object' && one !== null && other !== null
  return areObjects && canonicalJson(one) === canonicalJson(other)
}
