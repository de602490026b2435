import { statfs } from 'node:fs/promises'
import { endpoints, evidenceTypeNames } from '@integrity/protocol'
import { nextExpirySeconds } from '../domains/candidates/updates/updates.service.ts'
import { secondsOverdue } from '../domains/integrations/deliveries/deliveries.queue.service.ts'
import { countWaitingAcrossOrgs } from '../kernel/jobs/jobs.store.ts'
import { storeCauses } from '../pipeline/answers/respond.ts'
import type { PipelineParts } from '../pipeline/pipeline-parts.ts'
import { outageCauses } from '../platform/db/outage.ts'
import { replicaOutcomes } from '../platform/db/postgres/replica.types.ts'
import { buildInfo } from './build-info.ts'
import { jobDefinitions } from './jobs.ts'
import { type LastBackup, readLastBackup } from './last-backup.ts'

const mostWaiting = 10_000

/** What runs here, and every series that alerts count, at 0. */
export const beginSeries = ({ metrics, db }: Pick<PipelineParts, 'db' | 'metrics'>): void => {
  metrics.info('build_info', 'What runs here: version, commit and newest migration.', { ...buildInfo() })
  metrics.begin({
    endpoints: [...endpoints.map(({ id }) => id), 'pages', 'unknown'],
    causes: [...outageCauses, ...storeCauses],
    storedKinds: evidenceTypeNames,
    jobKinds: jobDefinitions.map(({ kind }) => kind),
    replicaOutcomes: db.replica ? replicaOutcomes : [],
  })
}

const registerBackupGauges = ({ metrics, config }: Pick<PipelineParts, 'config' | 'metrics'>): void => {
  /** Asked for by all of them at once. */
  let reading: Promise<LastBackup> | undefined
  const lastBackup = (name: keyof LastBackup) => async () => {
    reading ??= readLastBackup(config.dataDir).finally(() => {
      reading = undefined
    })
    return (await reading)[name]
  }
  metrics.gauge(
    'backup_last_success_timestamp_seconds',
    'When the last backup ended; 0 where none was made.',
    async () => (await lastBackup('at')()) / 1000,
  )
  metrics.gauge('backup_last_rows', 'Rows in the last backup.', lastBackup('rows'))
  metrics.gauge('backup_last_objects', 'Objects in the last backup.', lastBackup('objects'))
  metrics.gauge(
    'backup_last_audit_rows',
    'Rows of the audit trails in the last backup; they only ever grow.',
    lastBackup('auditRows'),
  )
}

const registerReplicaGauges = ({ metrics, db }: Pick<PipelineParts, 'db' | 'metrics'>): void => {
  const look = async () => db.replica?.look()
  metrics.gauge(
    'replica_up',
    '1 while lists and reports are read from the replica, 0 while from the primary; NaN where there is none.',
    () =>
      look().then(
        (found) => (found ? Number(found.isCurrent) : Number.NaN),
        () => 0,
      ),
  )
  metrics.gauge(
    'replica_lag_bytes',
    'Bytes of the log that the replica has yet to replay; NaN where there is none, or it does not answer.',
    async () => (await look())?.bytesBehind ?? Number.NaN,
  )
}

/** What is read when somebody scrapes. The alerts and the dashboard in `server/monitoring` are made of these. */
export const registerGauges = (app: PipelineParts): void => {
  const { metrics, config } = app
  const space = async (blocks: 'bavail' | 'blocks') => {
    const found = await statfs(config.dataDir)
    return found[blocks] * found.bsize
  }
  metrics.gauge('event_streams_open', 'Event streams open in this process.', () => app.streams.size)
  metrics.gauge(
    'shared_state_up',
    '1 while this process counts together with the others, or is the only one; 0 while it goes on with its share alone.',
    () => (app.shared.state() === 'away' ? 0 : 1),
  )
  metrics.gauge(
    'wake_ups_heard',
    '1 while this process hears what other processes have written, or is the only one; 0 while it finds it by looking, seconds later.',
    () => Number(app.db.hearsOthers()),
  )
  metrics.gauge(
    'clock_skew_seconds',
    "How far the clock of this machine is ahead of the database's; negative: behind.",
    () => app.clockSkew.skewMs / 1000,
  )
  metrics.gauge('live_sockets_open', 'Live sockets open in this process.', () => app.sockets.size)
  metrics.gauge(
    'signed_documents_expire_seconds',
    'Time until the first update manifest or security policy in force expires; negative once it has.',
    async () => (await nextExpirySeconds({ reader: app.db.reader }, app.clock.now())) ?? Number.NaN,
  )
  metrics.gauge('deliveries_overdue_seconds', 'How long the most overdue webhook delivery has been waiting.', () =>
    secondsOverdue(app),
  )
  metrics.gauge('jobs_waiting', 'Jobs that are due and that no process runs, up to 10,000.', () =>
    countWaitingAcrossOrgs(app.reader, app.clock.now(), mostWaiting),
  )
  metrics.gauge(
    'evidence_overdue_objects',
    'Objects past the retention window in force, and under no legal hold; looked at every ten minutes.',
    () => app.overdueEvidence.count(),
  )
  metrics.gauge(
    'buckets_silent',
    "Organisations' buckets that do not answer this process; what lies there is refused at once until they do.",
    () => app.storagePlaces.silentBuckets,
  )
  metrics.gauge('data_dir_free_bytes', 'Room left on the disk of DATA_DIR.', () => space('bavail'))
  metrics.gauge('data_dir_size_bytes', 'Size of the disk of DATA_DIR.', () => space('blocks'))
  registerBackupGauges(app)
  registerReplicaGauges(app)
}
