import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort, opened } from './ports.ts'

const run = promisify(execFile)
const programs = ['ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin', 'monmaptool'] as const

/** Debian's programs of Ceph; only a run whose path speaks of them installs them. */
export const hasCeph = async (): Promise<boolean> => {
  const found = programs.map((program) => run(program, ['--help']))
  return (await Promise.allSettled(found)).every(({ status }) => status === 'fulfilled')
}

export interface Ceph {
  readonly endpoint: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  stop(): Promise<void>
}

const confOf = (dir: string, fsid: string, mon: number, gateway: number): string => `[global]
fsid = ${fsid}
mon_host = v1:127.0.0.1:${mon}
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
ms_bind_msgr2 = false
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
mon_data_avail_crit = 1
osd_objectstore = memstore
memstore_device_bytes = 8589934592
mon_data = ${dir}/mon
osd_data = ${dir}/osd
run_dir = ${dir}
pid_file = ${dir}/$name.pid
log_file = ${dir}/$name.log
admin_socket = ${dir}/$name.asok
[client.rgw]
rgw_frontends = beast endpoint=127.0.0.1:${gateway}
rgw_data = ${dir}/rgw
`

/** A real Ceph of one monitor, one device in memory and one gateway that speaks S3, on ports of its own. */
export const startCeph = async (): Promise<Ceph> => {
  const dir = await mkdtemp(join(tmpdir(), 'ceph-'))
  const [mon, gateway] = [await freePort(), await freePort()]
  const [fsid, conf] = [randomUUID(), join(dir, 'ceph.conf')]
  for (const name of ['mon', 'osd', 'rgw']) await mkdir(join(dir, name))
  await writeFile(conf, confOf(dir, fsid, mon, gateway))
  // Nothing else of what surrounds a test run.
  const env = { PATH: process.env['PATH'], CEPH_CONF: conf }
  const tell = (program: string, args: readonly string[]) => run(program, args, { env, timeout: 60_000 })
  const started: ReturnType<typeof spawn>[] = []
  const start = (program: string, args: string) => {
    const line = `ulimit -n 4096; exec ${program} -f ${args}`
    started.push(spawn('sh', ['-c', line], { env, stdio: 'ignore' }))
  }
  const stop = async () => {
    await Promise.all(
      started.map((child) => new Promise<void>((resolve) => child.on('exit', () => resolve()).kill('SIGKILL'))),
    )
    await rm(dir, { recursive: true, force: true, maxRetries: 5 })
  }
  await tell('monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', `[v1:127.0.0.1:${mon}]`, join(dir, 'monmap')])
  await tell('ceph-mon', ['--mkfs', '-i', 'a', '--monmap', join(dir, 'monmap')])
  start('ceph-mon', '-i a')
  await opened(mon)
  await tell('ceph', ['osd', 'create'])
  await tell('ceph-osd', ['-i', '0', '--mkfs'])
  start('ceph-osd', '-i 0')
  await tell('ceph', ['osd', 'crush', 'add', 'osd.0', '1.0', 'root=default', 'host=h'])
  const keys = { accessKeyId: 'ceph-access', secretAccessKey: 'ceph-secret' }
  const user = [
    '--uid=test',
    '--display-name=t',
    `--access-key=${keys.accessKeyId}`,
    `--secret-key=${keys.secretAccessKey}`,
  ]
  await tell('radosgw-admin', ['user', 'create', ...user])
  start('radosgw', '-n client.rgw')
  await opened(gateway)
  return { endpoint: `http://127.0.0.1:${gateway}`, ...keys, stop }
}
