import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'

const root = resolve(import.meta.dirname, '../..')
const chart = join(root, 'server/packaging/helm/interview-integrity')

export const readChart = (name: string): string => readFileSync(join(chart, name), 'utf8')

interface Values {
  readonly [name: string]: unknown
}

type Names = Record<string, string>

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
}

interface Variable {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: {
    readonly secretKeyRef: { readonly name: string; readonly key: string; readonly optional?: true }
  }
}

export interface Container {
  readonly image: string
  readonly command?: readonly string[]
  readonly env: readonly Variable[]
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly startupProbe: Probe
  readonly livenessProbe: Probe
  readonly readinessProbe: Probe
  readonly lifecycle: { readonly preStop: { readonly exec: { readonly command: readonly [string, string] } } }
  readonly securityContext: object
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
}

export interface Pod {
  readonly serviceAccountName?: string
  readonly automountServiceAccountToken: boolean
  readonly terminationGracePeriodSeconds: number
  readonly securityContext: object
  readonly containers: readonly [Container]
  readonly volumes: readonly {
    readonly name: string
    readonly emptyDir?: object
    readonly persistentVolumeClaim?: { readonly claimName: string }
  }[]
}

/** An object of Kubernetes, as far as these tests look into one. */
export interface Kept {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels: Names; readonly annotations?: Names | null }
  readonly spec: {
    readonly replicas?: number
    readonly strategy?: { readonly type: string }
    readonly selector: Names & { readonly matchLabels: Names }
    readonly template: {
      readonly metadata: { readonly labels: Names; readonly annotations: Names | null }
      readonly spec: Pod
    }
    readonly ports: readonly { readonly name: string; readonly port: number; readonly targetPort: string }[]
    readonly rules: readonly {
      readonly host: string
      readonly http: {
        readonly paths: readonly {
          readonly backend: { readonly service: { readonly name: string; readonly port: { readonly name: string } } }
        }[]
      }
    }[]
    readonly scaleTargetRef: { readonly apiVersion: string; readonly kind: string; readonly name: string }
    readonly metrics: readonly object[]
    readonly accessModes: readonly string[]
  }
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** As Helm lays given values over those of the chart. */
const over = (below: Values, above: Values): Values => ({
  ...below,
  ...Object.fromEntries(
    Object.entries(above).map(([name, value]) => {
      const own = below[name]
      return [name, isObject(own) && isObject(value) ? over(own, value) : value]
    }),
  ),
})

export const valuesWith = (given: Values): Values => over(parse(readChart('values.yaml')) as Values, given)

/** What the chart cannot do without. */
export const least: Values = {
  image: { repository: 'registry.example.org/interview-integrity' },
  baseUrl: 'https://service.example.org',
  existingSecret: 'integrity-secrets',
}

export interface Renderer {
  /** @returns the text of each template. Throws with what the chart says where it refuses the values. */
  texts(given: Values): Record<string, string>
  /** @returns all objects */
  objects(given?: Values): Kept[]
  close(): void
}

/** Builds the program that renders: Go's engine is Helm's. */
export const buildRenderer = (): Renderer => {
  const folder = mkdtempSync(join(tmpdir(), 'integrity-chart-'))
  const program = join(folder, 'render')
  execFileSync('go', ['build', '-o', program, 'render.go'], { cwd: import.meta.dirname, stdio: 'pipe' })
  const { name, version, appVersion } = parse(readChart('Chart.yaml')) as Record<string, string>
  const texts = (given: Values): Record<string, string> => {
    const input = {
      values: valuesWith(given),
      release: { Name: 'integrity', Namespace: 'interviews', Service: 'Helm' },
      chart: { Name: name, Version: version, AppVersion: appVersion },
    }
    const said = execFileSync(program, [join(chart, 'templates')], { input: JSON.stringify(input), stdio: 'pipe' })
    return JSON.parse(said.toString()) as Record<string, string>
  }
  return {
    texts,
    objects: (given = least) =>
      Object.entries(texts(given))
        .filter(([file]) => file.endsWith('.yaml'))
        .flatMap(([file, text]) =>
          parseAllDocuments(text, { uniqueKeys: true }).map((document) => {
            if (document.errors.length > 0) throw new Error(`${file}: ${document.errors.join('; ')}`)
            return document.toJS() as Kept | null
          }),
        )
        .filter((one) => one !== null),
    close: () => rmSync(folder, { recursive: true }),
  }
}
