import { z } from 'zod';

/*
 * The part of the schemas of Kubernetes and Compose that the examples use. A key that they do not know would be ignored, or
 * refused by the cluster.
 */

const names = z.record(z.string(), z.string());
const metadata = z.strictObject({ name: z.string(), labels: names.optional() });
const secondsOf = z.number().int().min(1);
const percent = z.string().regex(/^\d+%$/);
const countOrPercent = z.union([z.number().int().min(0), percent]);
const command = z.array(z.string()).min(1);
const quantity = z.string().regex(/^\d+(m|Ki|Mi|Gi)?$/);
const selector = z.strictObject({ matchLabels: names });

const probe = z
  .strictObject({
    httpGet: z.strictObject({ path: z.string().startsWith('/'), port: z.string() }).optional(),
    exec: z.strictObject({ command }).optional(),
    periodSeconds: secondsOf.optional(),
    timeoutSeconds: secondsOf.optional(),
    failureThreshold: secondsOf.optional(),
    initialDelaySeconds: secondsOf.optional(),
  })
  .refine(({ httpGet, exec }) => (httpGet === undefined) !== (exec === undefined), 'asks by httpGet or by exec');

const container = z.strictObject({
  name: z.string(),
  image: z.string(),
  command: command.optional(),
  args: command.optional(),
  ports: z.array(z.strictObject({ name: z.string().max(15), containerPort: z.number().int() })).optional(),
  // The profile "restricted" of the Pod Security Standards, and a root that cannot be written.
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  resources: z.strictObject({
    requests: z.strictObject({ cpu: quantity, memory: quantity }),
    limits: z.strictObject({ memory: quantity }),
  }),
  startupProbe: probe.optional(),
  livenessProbe: probe.optional(),
  readinessProbe: probe.optional(),
  volumeMounts: z.array(
    z.strictObject({ name: z.string(), mountPath: z.string().startsWith('/'), readOnly: z.boolean().optional() }),
  ),
});

const volume = z.strictObject({
  name: z.string(),
  emptyDir: z.strictObject({}).optional(),
  configMap: z.strictObject({ name: z.string() }).optional(),
  secret: z.strictObject({ secretName: z.string(), defaultMode: z.number().int() }).optional(),
  persistentVolumeClaim: z.strictObject({ claimName: z.string() }).optional(),
});

const podSpec = z.strictObject({
  automountServiceAccountToken: z.literal(false),
  terminationGracePeriodSeconds: secondsOf.optional(),
  securityContext: z.strictObject({
    runAsNonRoot: z.literal(true),
    runAsUser: z.number().int().min(1),
    runAsGroup: z.number().int().min(1),
    fsGroup: z.number().int().min(1),
    seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
  }),
  topologySpreadConstraints: z
    .array(
      z.strictObject({
        maxSkew: z.number().int().min(1),
        topologyKey: z.string(),
        whenUnsatisfiable: z.enum(['DoNotSchedule', 'ScheduleAnyway']),
        labelSelector: selector,
      }),
    )
    .optional(),
  containers: z.array(container).min(1),
  volumes: z.array(volume),
});

const template = z.strictObject({
  metadata: z.strictObject({ labels: names, annotations: names.optional() }),
  spec: podSpec,
});

const claimSpec = z.strictObject({
  accessModes: z.array(z.enum(['ReadWriteOnce', 'ReadWriteOncePod'])),
  resources: z.strictObject({ requests: z.strictObject({ storage: quantity }) }),
});

const anyOf = z.strictObject({
  matchExpressions: z.array(
    z.strictObject({ key: z.string(), operator: z.literal('In'), values: z.array(z.string()).min(1) }),
  ),
});

/** A resource of Kubernetes, whole. */
export const manifest = z.discriminatedUnion('kind', [
  z.strictObject({
    apiVersion: z.literal('v1'),
    kind: z.literal('Service'),
    metadata,
    spec: z.strictObject({
      selector: names,
      clusterIP: z.literal('None').optional(),
      publishNotReadyAddresses: z.boolean().optional(),
      ports: z.array(z.strictObject({ name: z.string(), port: z.number().int(), targetPort: z.string().optional() })),
    }),
  }),
  z.strictObject({
    apiVersion: z.literal('v1'),
    kind: z.literal('ConfigMap'),
    metadata,
    data: names,
  }),
  z.strictObject({
    apiVersion: z.literal('v1'),
    kind: z.literal('PersistentVolumeClaim'),
    metadata,
    spec: claimSpec,
  }),
  z.strictObject({
    apiVersion: z.literal('networking.k8s.io/v1'),
    kind: z.literal('NetworkPolicy'),
    metadata,
    spec: z.strictObject({
      podSelector: z.union([selector, anyOf]),
      policyTypes: z.tuple([z.literal('Ingress')]),
      ingress: z.array(
        z.strictObject({
          ports: z.array(z.strictObject({ port: z.string() })).min(1),
          from: z
            .array(z.strictObject({ podSelector: anyOf.optional(), namespaceSelector: anyOf.optional() }))
            .min(1)
            .optional(),
        }),
      ),
    }),
  }),
  z.strictObject({
    apiVersion: z.literal('policy/v1'),
    kind: z.literal('PodDisruptionBudget'),
    metadata,
    spec: z.strictObject({ maxUnavailable: countOrPercent, selector }),
  }),
  z.strictObject({
    apiVersion: z.literal('apps/v1'),
    kind: z.literal('Deployment'),
    metadata,
    spec: z.strictObject({
      replicas: z.number().int(),
      strategy: z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('Recreate') }),
        z.strictObject({
          type: z.literal('RollingUpdate'),
          rollingUpdate: z.strictObject({ maxSurge: countOrPercent, maxUnavailable: countOrPercent }),
        }),
      ]),
      selector,
      template,
    }),
  }),
  z.strictObject({
    apiVersion: z.literal('apps/v1'),
    kind: z.literal('StatefulSet'),
    metadata,
    spec: z.strictObject({
      serviceName: z.string(),
      replicas: z.number().int(),
      podManagementPolicy: z.enum(['OrderedReady', 'Parallel']).optional(),
      selector,
      template,
      volumeClaimTemplates: z.array(z.strictObject({ metadata, spec: claimSpec })),
    }),
  }),
]);

const duration = z.string().regex(/^\d+(ms|s|m)$/);

const service = z.strictObject({
  image: z.string(),
  profiles: z.array(z.string()).optional(),
  build: z.string().optional(),
  command: command.optional(),
  restart: z.enum(['no', 'always', 'on-failure', 'unless-stopped']),
  init: z.boolean().optional(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  cap_add: z.array(z.string()).optional(),
  mem_limit: z
    .string()
    .regex(/^\d+[mg]$/)
    .optional(),
  security_opt: z.array(z.string()).optional(),
  tmpfs: z.array(z.string()).optional(),
  secrets: z.array(z.string()).optional(),
  stop_grace_period: duration.optional(),
  depends_on: z
    .record(z.string(), z.strictObject({ condition: z.enum(['service_started', 'service_healthy']) }))
    .optional(),
  environment: names.optional(),
  ports: z.array(z.string().regex(/^127\.0\.0\.1:\d+:\d+$/)).optional(),
  volumes: z.array(z.string().regex(/^[^:]+:\/[^:]+(:ro)?$/)).optional(),
  healthcheck: z
    .strictObject({
      test: command.refine(([how]) => how === 'CMD' || how === 'CMD-SHELL', 'begins with CMD or CMD-SHELL'),
      interval: duration,
      timeout: duration.optional(),
      retries: z.number().int(),
    })
    .optional(),
});

/** A file of Compose; its keys that begin with x- are the author's own. */
export const composeFile = z.strictObject({
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.null()),
  secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
});
