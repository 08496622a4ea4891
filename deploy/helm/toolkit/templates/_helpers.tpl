{{- define "toolkit.labels" -}}
app.kubernetes.io/name: {{ .name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/part-of: toolkit
{{- end }}

{{- define "toolkit.selector" -}}
app.kubernetes.io/name: {{ .name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- end }}

{{/* The servers: the name, the values, and the image of each. */}}
{{- define "toolkit.servers" -}}
- {name: api-server, values: apiServer}
{{- if .Values.mcpServer.enabled }}
- {name: mcp-server, values: mcpServer}
{{- end }}
{{- end }}

{{/* The names of the Secrets that api-server reads as a whole. */}}
{{- define "toolkit.secrets" -}}
{{- $names := .Values.secrets.names -}}
{{- if .Values.secrets.values }}{{ $names = append $names (printf "%s-values" .Release.Name) }}{{ end -}}
{{- toJson $names }}
{{- end }}

{{/* What is in the Secrets, for a checksum: of those that exist, what the cluster says. */}}
{{- define "toolkit.secretData" -}}
{{- $root := . -}}
{{- range .Values.secrets.names }}{{ (lookup "v1" "Secret" $root.Release.Namespace .).data | toJson }}{{ end -}}
{{- with .Values.secrets.mcpTokens }}{{ (lookup "v1" "Secret" $root.Release.Namespace .).data | toJson }}{{ end -}}
{{- toJson .Values.secrets.values }}
{{- end }}

{{/* The server that answers MCP. */}}
{{- define "toolkit.mcp" -}}
{{- .Release.Name }}-{{ ternary "mcp-server" "api-server" .Values.mcpServer.enabled }}
{{- end }}

{{/* The paths of MCP, each with its kind. */}}
{{- define "toolkit.mcpPaths" -}}
- {path: /toolkit/mcp, kind: Prefix}
- {path: /.well-known/ai-catalog.json, kind: Exact}
- {path: /.well-known/mcp.json, kind: Exact}
- {path: /.well-known/mcp, kind: Prefix}
- {path: /llms.txt, kind: Exact}
{{- end }}
