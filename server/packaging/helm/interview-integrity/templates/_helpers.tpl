{{- define "integrity.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "integrity.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "integrity.image" -}}
{{ required "image.repository: the image that you built from server/packaging/Dockerfile and pushed" .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "integrity.claim" -}}
{{- if .Values.storage.existingClaim -}}
{{ .Values.storage.existingClaim }}
{{- else -}}
{{ .Release.Name }}-data
{{- end -}}
{{- end }}

{{- /* What cannot serve is refused here, in words, instead of pods that end one after the other. */}}
{{- define "integrity.refuse" -}}
{{- if or .Values.worker.enabled (gt (int .Values.web.replicas) 1) -}}
{{- if not .Values.database.postgres -}}
{{- fail "Several pods need Postgres: set database.postgres to true and put DATABASE_URL into the Secret; or, for a trial on SQLite, set web.replicas to 1 and worker.enabled to false." -}}
{{- end -}}
{{- if ne .Values.storage.accessMode "ReadWriteMany" -}}
{{- fail "Several pods share one folder of objects: storage.accessMode must be ReadWriteMany; or set web.replicas to 1 and worker.enabled to false." -}}
{{- end -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.trustedProxies) -}}
{{- fail "Behind an Ingress all callers would share its address: set trustedProxies to the network of its pods." -}}
{{- end -}}
{{- end }}

{{- /* The settings of every pod. The context is the chart's, with .role beside it. */}}
{{- define "integrity.env" -}}
- name: HOST
  value: 0.0.0.0
- name: PORT
  value: "8787"
- name: METRICS_HOST
  value: {{ if .Values.metrics.enabled }}0.0.0.0{{ else }}127.0.0.1{{ end }}
- name: METRICS_PORT
  value: "8788"
- name: BASE_URL
  value: {{ required "baseUrl: what people type, https://service.example.org for example" .Values.baseUrl | quote }}
# Below the volume, not the volume itself: the service shuts its folder to everybody else, which only its owner may do, and
# a volume's own folder is root's.
- name: DATA_DIR
  value: /var/lib/interview-integrity/data
{{- if .Values.trustedProxies }}
- name: TRUSTED_PROXIES
  value: {{ .Values.trustedProxies | quote }}
{{- end }}
- name: MASTER_KEY
  valueFrom:
    secretKeyRef:
      name: {{ include "integrity.secret" . }}
      key: MASTER_KEY
{{- if .Values.database.postgres }}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ include "integrity.secret" . }}
      key: DATABASE_URL
{{- end }}
{{- range list "DATABASE_READ_URL" "DATABASE_DIRECT_URL" "SMTP_URL" "REDIS_URL" "STRIPE_SECRET_KEY" "STRIPE_WEBHOOK_SECRET" "RAZORPAY_KEY_SECRET" "RAZORPAY_WEBHOOK_SECRET" "SLACK_CLIENT_SECRET" }}
- name: {{ . }}
  valueFrom:
    secretKeyRef:
      name: {{ include "integrity.secret" $ }}
      key: {{ . }}
      optional: true
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- define "integrity.secret" -}}
{{ required "existingSecret: the name of a Secret that holds MASTER_KEY and, for Postgres, DATABASE_URL" .Values.existingSecret }}
{{- end }}

{{- /* A number, since Kubernetes cannot tell whether a name is root's. The image's files are readable to everybody. */}}
{{- define "integrity.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
# Only where the volume is not the group's yet: a folder of a million objects is not walked through at each start.
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "integrity.containerSecurity" -}}
allowPrivilegeEscalation: false
# The service writes to DATA_DIR and /tmp alone, as under systemd.
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- /* A pod that serves. The context is a dict of: chart, component, role, part (the values of its kind). */}}
{{- define "integrity.pod" -}}
metadata:
  labels:
    {{- include "integrity.selector" .chart | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
  annotations:
    {{- if .chart.Values.metrics.enabled }}
    # What the usual configuration of Prometheus looks for.
    prometheus.io/scrape: "true"
    prometheus.io/port: "8788"
    {{- end }}
    {{- with .chart.Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ .chart.Release.Name }}
  automountServiceAccountToken: false
  # Variables for every Service of the namespace look like settings, and nobody reads them.
  enableServiceLinks: false
  # 5 s before the process is told, 10 s in which it drains, and time to close the database: as under systemd (30 s).
  terminationGracePeriodSeconds: 40
  {{- with .chart.Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    {{- include "integrity.podSecurity" .chart | nindent 4 }}
  containers:
    - name: server
      image: {{ include "integrity.image" .chart | quote }}
      imagePullPolicy: {{ .chart.Values.image.pullPolicy }}
      env:
        - name: ROLE
          value: {{ .role }}
        {{- include "integrity.env" .chart | nindent 8 }}
      ports:
        - name: http
          containerPort: 8787
        - name: metrics
          containerPort: 8788
      # The port opens once the database is of this version.
      startupProbe:
        httpGet: { path: /v1/health, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: {{ .chart.Values.probes.startupTries }}
      # Asks only whether the process lives: a database that is away is no reason to start it again.
      livenessProbe:
        httpGet: { path: /v1/health, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      # The service answers within 2 s, and names what fails.
      readinessProbe:
        httpGet: { path: /v1/health/ready, port: http }
        periodSeconds: 5
        timeoutSeconds: 3
        failureThreshold: 2
      lifecycle:
        preStop:
          # Proxies learn a moment later that this pod goes; until then it answers.
          exec: { command: [sleep, "5"] }
      securityContext:
        {{- include "integrity.containerSecurity" .chart | nindent 8 }}
      resources:
        {{- toYaml .part.resources | nindent 8 }}
      volumeMounts:
        - name: data
          mountPath: /var/lib/interview-integrity
        - name: tmp
          mountPath: /tmp
  volumes:
    - name: data
      persistentVolumeClaim:
        claimName: {{ include "integrity.claim" .chart }}
    - name: tmp
      emptyDir: {}
  {{- with .part.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .part.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .part.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  # Rather on several machines, so that one which fails does not take all pods of a kind.
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "integrity.selector" .chart | nindent 10 }}
          app.kubernetes.io/component: {{ .component }}
{{- end }}
