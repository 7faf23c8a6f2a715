/** The same function, which gives known results again; failures are forgotten. */
export function remembered<Result>(
  read: (name: string) => Promise<Result>,
): (name: string) => Promise<Result> {
  const known = new Map<string, Promise<Result>>()
  return (name) => {
    const result = known.get(name) ?? read(name)
    known.set(name, result)
    result.catch(() => known.delete(name))
    return result
  }
}
