import type { Registry } from '@openfountain/core'
import { command, type Command, type CommandParts, type Context } from './command.ts'
import type { ExitName } from './exit-codes.ts'
import type { Given, GivenPlaces, Options, Places } from './options.ts'
import type { Line } from './output.ts'
import { withRegistry, type Purpose, type RegistrySettings } from './settings.ts'

interface RowParts<O extends Options, P extends Places, Result> extends Omit<CommandParts<O, P>, 'run'> {
  /** The access to the database; with a function it depends on the options. Default `read`. */
  readonly access?: Purpose | ((given: Given<O>) => Purpose)
  /** Checks the arguments before the database is opened. @throws CommandError usage */
  check?(given: Given<O> & GivenPlaces<P>, context: Context): void | Promise<void>
  call(registry: Registry, given: Given<O> & GivenPlaces<P>, context: Context): Promise<Result>
  json?(result: Result, given: Given<O> & GivenPlaces<P>): unknown
  text(result: Result, given: Given<O> & GivenPlaces<P>): string | readonly Line[]
  /** A remark for people on standard error. */
  note?(result: Result, given: Given<O> & GivenPlaces<P>): string | undefined
  exit?(result: Result): ExitName
}

export const unlessDry = (given: { readonly 'dry-run': boolean }): Purpose =>
  given['dry-run'] ? 'read' : 'change'

/** Declares a command as a row: arguments, access, call, and the result as text and as JSON. */
export const row = <const O extends Options, Result, const P extends Places = Readonly<Record<never, never>>>(
  name: string,
  { access = 'read', check, call, json, text, note, exit, ...parts }: RowParts<O, P, Result>,
): Command =>
  command<O, P>(name, {
    ...parts,
    async run(given, context) {
      await check?.(given, context)
      const settings = given as unknown as RegistrySettings
      const purpose = typeof access === 'string' ? access : access(given)
      return withRegistry(settings, purpose, context, async (registry) => {
        const result = await call(registry, given, context)
        const { out } = context
        out.result(json === undefined ? result : json(result, given), () => [text(result, given)].flat())
        const remark = out.json ? undefined : note?.(result, given)
        if (remark !== undefined) out.note(remark)
        return exit?.(result)
      })
    },
  })
