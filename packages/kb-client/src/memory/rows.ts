// Kanboard's tables as the in-memory board keeps them, with Kanboard's own field names.

export interface TaskRow {
  id: number;
  title: string;
  description: string;
  date_creation: number;
  color_id: string;
  project_id: number;
  column_id: number;
  owner_id: number;
  position: number;
  is_active: number;
  date_completed: number | null;
  score: number;
  date_due: number;
  category_id: number;
  creator_id: number;
  date_modification: number;
  reference: string;
  swimlane_id: number;
  date_moved: number;
  recurrence_status: number;
  priority: number;
}

export interface CommentRow {
  id: number;
  date_creation: number;
  date_modification: number;
  task_id: number;
  user_id: number;
  comment: string;
  visibility: string;
}

export interface TagRow {
  id: number;
  name: string;
  project_id: number;
  color_id: string | null;
}

export interface ColumnRow {
  id: number;
  title: string;
  position: number;
  project_id: number;
  task_limit: number;
  description: string;
}

export interface SwimlaneRow {
  id: number;
  name: string;
  position: number;
  is_active: number;
  project_id: number;
  description: string;
}

export type AppRole = "app-admin" | "app-manager" | "app-user";
export type ProjectRole = "project-manager" | "project-member" | "project-viewer";

export interface UserRow {
  id: number;
  username: string;
  password: string;
  name: string;
  email: string;
  role: AppRole;
  is_active: number;
  timezone: string | null;
  api_access_token: string | null;
}

export interface ProjectRow {
  id: number;
  name: string;
  is_active: number;
  last_modified: number;
  description: string | null;
  identifier: string;
  owner_id: number;
  priority_start: number;
  priority_end: number;
  priority_default: number;
}

export interface FileRow {
  id: number;
  name: string;
  task_id: number;
  date: number;
  user_id: number;
  size: number;
  /** Base64, as it came. */
  blob: string;
}

export interface LinkRow {
  id: number;
  link_id: number;
  task_id: number;
  opposite_task_id: number;
}

export interface ActivityRow {
  id: number;
  date_creation: number;
  event_name: string;
  creator_id: number;
  project_id: number;
  task_id: number;
}
