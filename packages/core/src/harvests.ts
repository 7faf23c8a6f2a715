import { randomUUID } from 'node:crypto'
import * as decisions from './decide/harvest.ts'
import type { HarvestResult, ScheduleInput } from './decide/harvest.ts'
import { isLeased } from './decide/lease.ts'
import type { Schedule, StoredHarvest } from './log/nouns.ts'
import { harvesting } from './rules.ts'
import { parse } from './schemas/parse.ts'
import { ScheduleFields } from './schemas/harvest.ts'
import { Part } from './shared.ts'

/** A harvest that runs: nobody else harvests the source until it ends, or is not renewed. */
export interface RunningHarvest {
  readonly schedule: Schedule
  /** Keeps it for longer. @throws RegistryError CONFLICT when another one began meanwhile */
  renew(): Promise<void>
  /** Records what came of it. @throws RegistryError CONFLICT when another one began meanwhile */
  end(result: HarvestResult): Promise<StoredHarvest>
}

/** Sources with an address, which are fetched and imported again and again. Not in the log. For operators only. */
export class Harvests extends Part {
  async schedules(): Promise<Schedule[]> {
    return this.read.sources.schedules()
  }

  /** Gives a source an address. It is due at once. @throws RegistryError NOT_FOUND, INVALID_INPUT, also for a secret */
  async schedule(sourceId: number, input: ScheduleInput): Promise<Schedule> {
    const given = parse(ScheduleFields, input)
    return this.store.write({ decide: (at) => decisions.setSchedule(at, sourceId, given) })
  }

  /** Takes the address of a source away; its harvests stay. */
  async unschedule(sourceId: number): Promise<void> {
    await this.store.write({ decide: () => decisions.removeSchedule(sourceId) })
  }

  /** The sources to harvest now, those that wait longest first. */
  async due(): Promise<Schedule[]> {
    const now = await this.store.time()
    const isDue = (each: Schedule) => each.nextAt !== undefined && each.nextAt <= now && !isLeased(each, now)
    const found = (await this.schedules()).filter(isDue)
    return found.toSorted((one, other) => ((one.nextAt ?? '') < (other.nextAt ?? '') ? -1 : 1))
  }

  /** Begins to harvest a source, alone. @throws RegistryError NOT_FOUND, CONFLICT `{ state: 'harvesting' }` */
  async begin(sourceId: number): Promise<RunningHarvest> {
    const lease = randomUUID()
    const schedule = await this.store.write({ decide: (at) => decisions.beginHarvest(at, sourceId, lease) })
    return {
      schedule,
      renew: () => this.store.write({ decide: (at) => decisions.renewLease(at, sourceId, lease) }),
      end: (result) =>
        this.store.write({ decide: (at) => decisions.endHarvest(at, sourceId, lease, result) }),
    }
  }

  /** The harvests of a source, or of all, the newest first; at most `limit`, by default and at most 100. */
  async list(sourceId?: number, limit: number = harvesting.listed): Promise<StoredHarvest[]> {
    return this.read.sources.harvests(sourceId, Math.min(limit, harvesting.listed))
  }
}
