import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { secretSettings, settingNames } from '../../server/src/app/config.ts'
import { has } from '../../server/test/test-support/guide-environment.ts'
import { endpoints } from '../../shared-protocol/src/registry.ts'
import {
  buildRenderer,
  type Kept,
  least,
  type Pod,
  type Renderer,
  readChart,
  valuesWith,
} from './chart.test-support.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const schema = JSON.parse(readChart('values.schema.json')) as {
  properties: { settings: { properties: Record<string, object> } }
}
const inSchema = Object.keys(schema.properties.settings.properties)

/** All that the chart can make. */
const whole = {
  ...least,
  trustedProxies: '10.0.0.0/8',
  settings: { EVENT_DAYS: '30' },
  imagePullSecrets: [{ name: 'registry' }],
  podAnnotations: { 'example.org/team': 'hiring' },
  worker: { autoscaling: { enabled: true }, nodeSelector: { 'example.org/large': 'true' } },
  ingress: {
    enabled: true,
    className: 'nginx',
    host: 'service.example.org',
    tlsSecret: 'certificate',
    annotations: { 'nginx.ingress.kubernetes.io/proxy-body-size': '2g' },
  },
}
/** One pod on SQLite. */
const trial = {
  ...least,
  database: { postgres: false },
  web: { replicas: 1 },
  worker: { enabled: false },
  storage: { accessMode: 'ReadWriteOnce' },
}

describe('the values of the chart', () => {
  const isValid = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema)

  it.each([
    ['its own', {}],
    ['those of all that it can make', whole],
    ['those of a trial', trial],
  ])('are taken by its schema: %s', (_name, given) => {
    isValid(valuesWith(given))
    expect(isValid.errors).toBeNull()
  })

  it.each([
    ['a name that nobody knows', { web: { replica: 3 } }],
    ['a setting that is misspelt', { settings: { EVENT_DAY: '30' } }],
    ['a secret among the settings', { settings: { SMTP_URL: 'smtp://u:p@host' } }],
    ['a number that is no text', { settings: { EVENT_DAYS: 30 } }],
    ['an address without its scheme', { baseUrl: 'service.example.org' }],
  ])('are refused by it: %s', (_name, given) => {
    expect(isValid(valuesWith(given))).toBe(false)
  })

  it('have the version of the server', () => {
    const { version } = JSON.parse(read('server/package.json')) as { version: string }
    expect(parse(readChart('Chart.yaml'))).toMatchObject({ apiVersion: 'v2', version, appVersion: version })
  })
})

describe.skipIf(!has('go'))("the chart, rendered by Helm's engine [needs Go]", () => {
  let chart: Renderer
  let objects: Kept[]
  beforeAll(() => {
    chart = buildRenderer()
    objects = chart.objects(whole)
  })
  afterAll(() => chart?.close())
  const of = (kind: string, part = ''): Kept =>
    objects.find((one) => one.kind === kind && one.metadata.name.endsWith(part))!
  const podOf = (one: Kept): Pod => one.spec.template.spec
  const pods = () => objects.filter(({ spec }) => spec?.template).map(podOf)

  it('makes objects of the kinds and versions that it is meant to make, each once', () => {
    const found = objects.map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`)
    expect(found.sort()).toEqual([
      'apps/v1 Deployment integrity-web',
      'apps/v1 Deployment integrity-worker',
      'autoscaling/v2 HorizontalPodAutoscaler integrity-worker',
      'batch/v1 Job integrity-migration',
      'networking.k8s.io/v1 Ingress integrity',
      'policy/v1 PodDisruptionBudget integrity-web',
      'policy/v1 PodDisruptionBudget integrity-worker',
      'v1 PersistentVolumeClaim integrity-data',
      'v1 Service integrity-web',
      'v1 ServiceAccount integrity',
    ])
  })

  it('selects by labels that the pods have, and no pod of another kind', () => {
    for (const part of ['web', 'worker']) {
      const { spec } = of('Deployment', part)
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels)
      expect(of('PodDisruptionBudget', part).spec.selector).toEqual(spec.selector)
    }
    const served = of('Service').spec.selector
    expect(of('Deployment', 'web').spec.template.metadata.labels).toMatchObject(served)
    for (const other of [of('Deployment', 'worker'), of('Job')])
      expect(other.spec.template.metadata.labels).not.toMatchObject(served)
  })

  it('names services, ports, volumes and accounts that are there', () => {
    const [rule] = of('Ingress').spec.rules
    const { service } = rule!.http.paths[0]!.backend
    expect(service).toEqual({ name: of('Service').metadata.name, port: { name: of('Service').spec.ports[0]!.name } })
    const [{ ports = [] }] = podOf(of('Deployment', 'web')).containers
    expect(ports.map(({ name }) => name)).toContain(of('Service').spec.ports[0]!.targetPort)
    for (const { volumes, containers } of pods()) {
      const mounted = containers[0].volumeMounts.map(({ name }) => name)
      expect(volumes.map(({ name }) => name).sort()).toEqual(mounted.sort())
    }
    for (const part of ['web', 'worker']) {
      const pod = podOf(of('Deployment', part))
      expect(pod.volumes[0]!.persistentVolumeClaim?.claimName).toBe(of('PersistentVolumeClaim').metadata.name)
      expect(pod.serviceAccountName).toBe(of('ServiceAccount').metadata.name)
    }
    const { apiVersion, kind, name } = of('HorizontalPodAutoscaler').spec.scaleTargetRef
    expect([apiVersion, kind, name]).toEqual(['apps/v1', 'Deployment', of('Deployment', 'worker').metadata.name])
  })

  it('probes paths of the interface, and each process listens there', () => {
    const paths = endpoints.filter(({ method }) => method === 'GET').map(({ path }) => path as string)
    for (const part of ['web', 'worker']) {
      const [{ startupProbe, livenessProbe, readinessProbe, ports = [] }] = podOf(of('Deployment', part)).containers
      for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
        expect(paths).toContain(httpGet.path)
        expect(ports.map(({ name }) => name)).toContain(httpGet.port)
      }
      expect(livenessProbe.httpGet.path).not.toBe(readinessProbe.httpGet.path)
    }
  })

  it('gives each process settings that the server knows, none twice, and its secrets from the Secret alone', () => {
    for (const { containers } of pods()) {
      const names = containers[0].env.map(({ name }) => name)
      expect(names.filter((name) => !settingNames.includes(name))).toEqual([])
      expect(new Set(names).size).toBe(names.length)
      const referred = containers[0].env.filter(({ valueFrom }) => valueFrom)
      expect(referred.map(({ name }) => name).sort()).toEqual([...secretSettings].sort())
      for (const { name, value, valueFrom } of referred)
        expect([value, valueFrom?.secretKeyRef]).toMatchObject([undefined, { name: 'integrity-secrets', key: name }])
    }
    const roles = ['web', 'worker'].map((part) => podOf(of('Deployment', part)).containers[0].env[0])
    expect(roles).toEqual([
      { name: 'ROLE', value: 'web' },
      { name: 'ROLE', value: 'worker' },
    ])
  })

  it('leaves every other setting to the values, but for those of tests', () => {
    const [, forTests = ''] = /^For tests only,([^.]+)\./m.exec(read('docs/operating/settings.md')) ?? []
    const set = podOf(of('Deployment', 'web')).containers[0].env.map(({ name }) => name)
    const ours = new Set([...set, ...(forTests.match(/\b[A-Z][A-Z_]+\b/g) ?? [])])
    const left = settingNames.filter((name) => name === 'EVENT_DAYS' || !ours.has(name))
    expect(left.filter((name) => !name.startsWith('OTEL_')).sort()).toEqual([...inSchema].sort())
  })

  it('migrates by a command of the image before anything else of a version is there', () => {
    const { metadata, spec } = of('Job')
    expect(metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' })
    const { containers, serviceAccountName, volumes } = spec.template.spec
    const [node, flag, program, ...words] = containers[0].command ?? []
    const [, start = '[]'] = /^CMD (.+)$/m.exec(read('server/packaging/Dockerfile')) ?? []
    expect([node, flag]).toEqual((JSON.parse(start) as string[]).slice(0, 2))
    expect(read(program!.replace('/usr/lib/interview-integrity/', ''))).toContain('runAdmin')
    expect(words).toEqual(['migrate'])
    expect([serviceAccountName, volumes.map(({ emptyDir }) => emptyDir)]).toEqual([undefined, [{}, {}]])
  })

  it('lets no pod be root, write outside of its volumes or call the cluster', () => {
    for (const { automountServiceAccountToken, securityContext, containers } of pods()) {
      expect(automountServiceAccountToken).toBe(false)
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001, fsGroup: 10_001 })
      expect(containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    }
  })

  it('waits for a process that ends as long as systemd does, after the moment before it is told', () => {
    const unit = read('server/packaging/debian/interview-integrity.service')
    const patience = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])
    const { terminationGracePeriodSeconds, containers } = podOf(of('Deployment', 'web'))
    const [, before] = containers[0].lifecycle.preStop.exec.command
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(patience + Number(before))
  })

  it('scales workers by a metric that the server has, and sets no number of them itself then', () => {
    expect(of('HorizontalPodAutoscaler').spec.metrics).toEqual([
      {
        type: 'External',
        external: { metric: { name: 'jobs_waiting' }, target: { type: 'AverageValue', averageValue: '10' } },
      },
    ])
    expect(read('server/src/app/gauges.ts')).toContain("metrics.gauge('jobs_waiting'")
    expect(of('Deployment', 'worker').spec.replicas).toBeUndefined()
    const fixed = chart
      .objects()
      .find(({ kind, metadata }) => `${kind} ${metadata.name}` === 'Deployment integrity-worker')
    expect(fixed?.spec.replicas).toBe(1)
  })

  it('makes one pod with everything on SQLite for a trial, which migrates by itself', () => {
    const made = chart.objects(trial)
    expect(made.map(({ kind }) => kind).sort()).toEqual([
      'Deployment',
      'PersistentVolumeClaim',
      'PodDisruptionBudget',
      'Service',
      'ServiceAccount',
    ])
    const { spec } = made.find(({ kind }) => kind === 'Deployment')!
    expect(spec.strategy).toEqual({ type: 'Recreate' })
    const env = spec.template.spec.containers[0].env
    expect(env[0]).toEqual({ name: 'ROLE', value: 'all' })
    expect(env.map(({ name }) => name)).not.toContain('DATABASE_URL')
  })

  it.each([
    ['no image', { image: { repository: '' } }, 'image.repository: the image that you built'],
    ['no address', { baseUrl: '' }, 'baseUrl: what people type'],
    ['no Secret', { existingSecret: '' }, 'existingSecret: the name of a Secret'],
    ['several pods without Postgres', { database: { postgres: false } }, 'Several pods need Postgres'],
    ['two web pods on SQLite', { ...trial, web: { replicas: 2 } }, 'Several pods need Postgres'],
    ['several pods on a disk of one', { storage: { accessMode: 'ReadWriteOnce' } }, 'must be ReadWriteMany'],
    ['an Ingress that nobody trusts', { ingress: { enabled: true, host: 'a.example' } }, 'set trustedProxies'],
    ['an Ingress without a name', { trustedProxies: '10.0.0.0/8', ingress: { enabled: true } }, 'ingress.host: the'],
  ])('refuses %s, in words', (_name, given, words) => {
    expect(() => chart.texts({ ...least, ...given })).toThrow(words)
  })
})
