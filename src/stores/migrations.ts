/** The versions of the tables of a store. */
import { StartupError } from '../errors.ts'

/** The advice if a statement of this program does not fit the tables of a store of its version. */
export const migrationAdvice =
  'add or correct a migration in tables.ts (docs/contributing-changes.md, "Writing a migration"), or restore a backup'

/** What a start does with tables of an earlier version. */
export interface UpgradeOptions {
  /** Called after an upgrade with the versions of the tables before and after it. */
  readonly onUpgrade?: (from: number, to: number) => void
  /** False to reject a store with tables of an earlier version; by default, it is upgraded. */
  readonly mayUpgrade?: boolean
}

/**
 * The SQL of the migrations, by the version of the tables that each makes: the first one creates the tables, and each other one
 * upgrades the tables of the version before. Lower versions were never released. A published migration is never edited, nor is a
 * comment in its SQL that a later one contradicts. The spec alone limits what an animal may be, so the tables have no limits and no
 * lists of values.
 */
export type Migrations = Readonly<Record<number, string>>

/**
 * Returns the version of the tables (0 for a store without tables), the migrations that they lack, and the version that those
 * lead to. Throws a StartupError if this program does not support the version, or may not upgrade the tables.
 */
export function planMigration(version: number, migrations: Migrations, { mayUpgrade = true }: UpgradeOptions = {}) {
  // Objects list names that are integers in ascending order.
  const versions = Object.keys(migrations).map(Number)
  const [firstVersion, latest] = [Math.min(...versions), Math.max(...versions)]
  if (version > latest || (version < firstVersion && version !== 0)) {
    const advice = version > latest ? 'use a newer program' : 'no release made it; name a new store'
    throw new StartupError(
      `its schema has version ${version}, and this program supports versions ${firstVersion} to ${latest}; ${advice}`,
    )
  }
  const steps = versions.filter((target) => target > version).map((target) => String(migrations[target]))
  if (version > 0 && steps.length > 0 && !mayUpgrade) {
    throw new StartupError(`its schema has version ${version}; upgrade it to ${latest} by npm start or npm run dev`)
  }
  return { version, latest, steps }
}
