import { ensureSource } from './decide/import-run.ts'
import { required } from './errors.ts'
import { removeSource, type UndoneImport, type UndoOptions } from './import-undo.ts'
import { knownOptions, parse } from './schemas/parse.ts'
import { SourceInput, type Source } from './schemas/source.ts'
import { Part } from './shared.ts'

/** The sources of imported data, with their licences. */
export class Sources extends Part {
  /** All sources by id. */
  async list(): Promise<Source[]> {
    return this.read.sources.list()
  }

  /** The licences of sources that list or listed a waypoint, each once. */
  async licenses(): Promise<readonly string[]> {
    return this.read.sources.licenses()
  }

  /** @throws RegistryError NOT_FOUND */
  async get(id: number): Promise<Source> {
    return required(await this.read.sources.byId(id), 'source', id)
  }

  /** The source with this name, or undefined. */
  async named(name: string): Promise<Source | undefined> {
    return this.read.sources.byName(name)
  }

  /** Adds a source, or updates the given fields of the one with this name. @throws RegistryError INVALID_INPUT */
  async ensure(input: SourceInput): Promise<Source> {
    const given = parse(SourceInput, input)
    return this.get(await this.store.write({ decide: () => ensureSource(given) }))
  }

  /**
   * Undoes all imports of a source, as `imports.undo` does one. Changes by people stay, and are listed; so does the
   * source, since the log names it. For operators only.
   *
   * @param options `reason` is public; default that the import is undone. `dryRun` returns the expected result
   * @throws RegistryError NOT_FOUND
   */
  async delete(
    name: string,
    options: Omit<UndoOptions, 'run' | 'source'> = {},
  ): Promise<Omit<UndoneImport, 'run'>> {
    return removeSource(this.store, name, knownOptions(options, ['reason', 'dryRun', 'onProgress', 'signal']))
  }
}
