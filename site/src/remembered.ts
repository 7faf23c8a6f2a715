/** The same function, which gives the latest results again, at most `limit` of them; failures are forgotten. */
export function remembered<Result>(
  read: (name: string) => Promise<Result>,
  limit = Infinity,
): (name: string) => Promise<Result> {
  const known = new Map<string, Promise<Result>>()
  return (name) => {
    const result = known.get(name) ?? read(name)
    known.set(name, result)
    result.catch(() => known.delete(name))
    const [oldest = ''] = known.keys()
    if (known.size > limit) known.delete(oldest)
    return result
  }
}
